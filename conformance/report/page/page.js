"use strict";
// Every text of the report reaches the page as a text node or an attribute value, never as HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child));
  return element;
}

// ---- The matrices, as the filters see them.

const tables = $$("table.matrix").map((element) => ({
  element,
  name: element.dataset.view,
  groups: $$("tbody", element).map((body) => ({
    body,
    area: body.dataset.area,
    rows: $$("tr[data-id]", body).map((row) => ({
      row,
      id: row.dataset.id,
      cells: $$("td", row).map((td) => ({ td, column: Number(td.dataset.c), verdict: td.dataset.v })),
    })),
  })),
  columns: $$("thead tr:last-child th", element).map((th) => ({
    th, revision: th.dataset.revision, transport: th.dataset.transport,
  })),
}));
const columns = tables[0].columns;
let table = tables[0];

// The results behind each row: by transcript, and by each requirement that one of its steps tests.
const index = { transcripts: new Map(), requirements: new Map() };
for (const result of data.results) {
  enter(index.transcripts, result.transcript, result);
  for (const id of new Set(result.steps.flatMap((step) => step.requirements || []))) enter(index.requirements, id, result);
}

function enter(map, key, result) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(result);
}

function resultsOf(kind, id, column) {
  return (index[kind].get(id) || []).filter((result) =>
    !column || (result.revision === column.revision && result.transport === column.transport));
}

// What the search looks through, by row: the id, the text in sight, and all evidence. Made when first needed.
const haystacks = new Map();
function haystack(view, row, text) {
  const key = view + "\n" + row;
  if (!haystacks.has(key)) {
    const parts = [text];
    for (const result of resultsOf(view, row)) {
      parts.push(result.transcript, result.story, result.reason, result.known);
      for (const step of result.steps) {
        if (view === "requirements" && !(step.requirements || []).includes(row)) continue;
        parts.push(step.label, step.problem, step.sent, step.received, ...(step.requirements || []));
      }
    }
    haystacks.set(key, parts.join("\n").toLowerCase());
  }
  return haystacks.get(key);
}

// ---- Filters.

const search = $("#search"), area = $("#area"), shown = $("#shown"), nothing = $("#nothing");
const boxes = (name) => $$(`[data-filter=${name}] input`);
const chosen = (name) => new Set(boxes(name).filter((box) => box.checked).map((box) => box.value));
const allows = (set, value) => set.size === 0 || set.has(value);

function apply() {
  const verdicts = chosen("verdict"), revisions = chosen("revision"), transports = chosen("transport");
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const open = columns.map((c) => allows(revisions, c.revision) && allows(transports, c.transport));
  const counts = {};
  let rows = 0, total = 0;
  showColumns(open);
  for (const group of table.groups) {
    let any = false;
    for (const { row, id, cells } of group.rows) {
      total++;
      const fits = (!area.value || area.value === group.area) &&
        (words.length === 0 || matches(words, haystack(table.name, id, row.cells[0].textContent)));
      let visible = false;
      for (const { td, column, verdict } of cells) {
        td.hidden = !open[column];
        const match = open[column] && verdict && allows(verdicts, verdict);
        td.classList.toggle("faint", Boolean(verdict) && !match);
        if (fits && open[column] && verdict) counts[verdict] = (counts[verdict] || 0) + 1;
        visible ||= match;
      }
      row.hidden = !(fits && visible);
      if (!row.hidden) { rows++; any = true; }
    }
    group.body.hidden = !any;
  }
  for (const box of boxes("verdict")) $(".n", box.parentElement).textContent = counts[box.value] || 0;
  const filters = verdicts.size + revisions.size + transports.size + (area.value ? 1 : 0);
  $("#filters-on").textContent = filters ? `(${filters} on)` : "";
  shown.textContent = `${rows} of ${total} ${table.name} shown`;
  nothing.hidden = rows > 0;
  table.element.tHead.hidden = rows === 0;
  settle();
}

const matches = (words, text) => words.every((word) => text.includes(word));

function showColumns(open) {
  for (const { th } of table.columns) th.hidden = !open[th.dataset.c];
  for (const th of $$("thead tr:first-child th", table.element)) {
    const span = columns.filter((c, i) => open[i] && c.revision === th.dataset.revision).length;
    th.hidden = span === 0;
    if (span) th.colSpan = span;
  }
}

function view(name) {
  table = tables.find((t) => t.name === name);
  for (const t of tables) t.element.hidden = t !== table;
  $(`#views input[value=${name}]`).checked = true;
  apply();
}

function reset() {
  for (const box of $$("#filters input")) box.checked = false;
  area.value = search.value = "";
  apply();
}

// ---- The keyboard: the matrix is one stop of the Tab key, within it the arrow keys move.

const stops = (row) => $$("button, td > span", row).filter((stop) => !stop.closest("[hidden]"));
const visibleRows = () => table.groups.flatMap((g) => (g.body.hidden ? [] : g.rows.filter((r) => !r.row.hidden).map((r) => r.row)));

function settle() {
  const now = $("[tabindex='0']", table.element);
  if (now && !now.closest("[hidden]")) return;
  if (now) now.tabIndex = -1;
  const first = visibleRows()[0];
  if (first) stops(first)[0].tabIndex = 0;
}

function hold(stop) {
  for (const old of $$("[tabindex='0']", table.element)) old.tabIndex = -1;
  stop.tabIndex = 0;
}

function move(event) {
  const from = event.target.closest("button, td > span");
  if (!from || event.altKey || event.metaKey) return;
  const rows = visibleRows();
  let y = rows.indexOf(from.closest("tr"));
  let x = stops(rows[y]).indexOf(from);
  const last = stops(rows[y]).length - 1;
  switch (event.key) {
    case "ArrowUp": y--; break;
    case "ArrowDown": y++; break;
    case "ArrowLeft": x--; break;
    case "ArrowRight": x++; break;
    case "PageUp": y -= 10; break;
    case "PageDown": y += 10; break;
    case "Home": x = 0; if (event.ctrlKey) y = 0; break;
    case "End": x = last; if (event.ctrlKey) y = rows.length - 1; break;
    default: return;
  }
  event.preventDefault();
  y = Math.min(Math.max(y, 0), rows.length - 1);
  const to = stops(rows[y])[Math.min(Math.max(x, 0), last)];
  hold(to);
  to.focus();
  to.scrollIntoView({ block: "nearest" });
}

// ---- The evidence.

const dialog = $("#detail");
let linked = false; // The page was opened at this evidence: the browser has no focus to give back.
const mark = (verdict) => h("span", { class: "mark", "data-v": verdict, title: data.verdicts[verdict].heading }, data.verdicts[verdict].mark);
const pair = (column) => `${column.revision} ${column.transport}`;

function show(kind, id, column) {
  const known = kind === "requirements" ? data.requirements[id] : undefined;
  const results = resultsOf(kind, id, column);
  const where = column ? ` at ${column.revision} over ${column.transport}` : "";
  dialog.replaceChildren(
    h("div", { class: "detail-head" },
      h("h2", { id: "detail-title" }, h("code", {}, id), where),
      h("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close")),
    known && known.text && h("p", { class: "says" }, known.text),
    known && clauses(known, column),
    ...results.map((result) => resultOf(result, kind === "requirements" ? id : "")));
  history.replaceState(null, "", "#" + [kind, id, ...(column ? [column.revision, column.transport] : [])].map(encodeURIComponent).join("/"));
  if (!dialog.open) {
    linked = document.activeElement === document.body;
    dialog.showModal();
  }
  $(".close", dialog).focus();
  dialog.scrollTop = 0;
}

function clauses(known, column) {
  const items = Object.entries(known.at).filter(([revision]) => !column || revision === column.revision)
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([revision, { level, url }]) => h("li", {}, revision + " ", h("b", {}, level), " ",
      url && h("a", { href: url, rel: "noreferrer" }, "clause")));
  return h("ul", { class: "clauses" }, ...items);
}

function resultOf(result, id) {
  const needed = evidenceSteps(result, id);
  return h("section", { class: "result", "data-transcript": result.transcript },
    h("h3", {}, mark(result.verdict), h("code", {}, result.transcript), h("span", { class: "quiet" }, "  " + pair(result))),
    result.story && h("p", {}, result.story),
    result.reason && h("p", {}, `${data.verdicts[result.verdict].heading}: ${result.reason}`),
    result.known && h("p", {}, `Known failure: ${result.known}`),
    h("ol", { class: "steps" }, ...result.steps.map((step, i) => stepOf(step, needed.has(i), id))));
}

// The steps to open at once: those that went wrong, or else those that test the requirement, with what was sent before.
function evidenceSteps(result, id) {
  const steps = [...result.steps.keys()];
  let wanted = steps.filter((i) => ["fail", "warn"].includes(result.steps[i].verdict));
  if (wanted.length === 0) wanted = steps.filter((i) => (result.steps[i].requirements || []).includes(id));
  const needed = new Set(wanted);
  for (const i of wanted) {
    if (result.steps[i].sent) continue;
    const asked = steps.slice(0, i).reverse().find((j) => result.steps[j].sent);
    if (asked !== undefined) needed.add(asked);
  }
  return needed;
}

function stepOf(step, open, id) {
  const ids = step.requirements || [];
  return h("li", { class: ids.includes(id) ? "named" : undefined, "data-v": step.verdict },
    h("details", { open },
      h("summary", {}, mark(step.verdict), h("span", { class: "kind" }, step.kind), step.label + " ",
        h("span", { class: "line" }, `line ${step.line}`)),
      h("div", { class: "step-body" },
        ids.length > 0 && h("div", { class: "ids" }, ...ids.map((other) =>
          h("button", { type: "button", onclick: () => show("requirements", other) }, other))),
        block("Problem", step.problem, "problem"), block("Sent", step.sent), block("Received", step.received),
        block("Repeat it from a shell", step.curl))));
}

function block(title, text, style) {
  if (!text) return "";
  const pre = h("pre", { class: style, tabindex: 0, role: "region", "aria-label": title }, text);
  const button = h("button", { type: "button", class: "copy", onclick: () => copy(pre, button) }, "Copy");
  return h("div", {}, h("h4", {}, title, button), pre);
}

async function copy(pre, button) {
  getSelection().selectAllChildren(pre);
  try {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Selected";
  }
}

// ---- Everything listens here.

function showCell(stop) {
  const row = stop.closest("tr[data-id]"), td = stop.closest("td");
  if (!row || stop.tagName !== "BUTTON") return;
  hold(stop);
  show(table.name, row.dataset.id, td ? columns[td.dataset.c] : undefined);
}

for (const { element } of tables) {
  element.addEventListener("click", (event) => { const stop = event.target.closest("button"); if (stop) showCell(stop); });
  element.addEventListener("keydown", move);
}
let pause;
search.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(apply, 120); });
$("#filters").addEventListener("change", apply);
$("#reset").addEventListener("click", reset);
$("#views").addEventListener("change", (event) => view(event.target.value));
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener("close", () => {
  history.replaceState(null, "", location.pathname + location.search);
  if (linked) $("[tabindex='0']", table.element)?.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || dialog.open || event.ctrlKey || event.metaKey || event.target.matches("input, select")) return;
  event.preventDefault();
  search.focus();
});

function start() {
  $("#filters").open = matchMedia("(min-width: 46.01rem)").matches;
  const [kind, id, revision, transport] = address();
  view(kind === "transcripts" || table.groups.length === 0 ? "transcripts" : "requirements");
  const column = columns.find((c) => c.revision === revision && c.transport === transport);
  if (id && resultsOf(table.name, id, column).length > 0) show(table.name, id, column);
}

// The fragment of the page's address names the evidence to show, so that it can be linked to.
function address() {
  try {
    return location.hash.slice(1).split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}
start();
