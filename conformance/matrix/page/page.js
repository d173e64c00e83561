"use strict";
// All text is in the page already; this only shows and hides.
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

const search = $("#search"), area = $("#area"), table = $("#rows");
const groups = $$("tbody", table).map((body) => ({
  body,
  rows: $$("tr[data-id]", body).map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    cells: $$("td", row).map((td) => ({ td, ...td.dataset })),
  })),
}));
const heads = $$("thead th", table);
const names = ["status", "revision", "level", "party"];
const boxes = (name) => $$(`[data-filter=${name}] input`);

function apply() {
  const chosen = {};
  for (const name of names) chosen[name] = new Set(boxes(name).filter((box) => box.checked).map((box) => box.value));
  const allows = (name, cell) => chosen[name].size === 0 || chosen[name].has(cell[name]);
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0, total = 0;
  for (const th of heads) th.hidden = !allows("revision", th.dataset);
  for (const { body, rows } of groups) {
    let any = false;
    for (const { row, text, cells } of rows) {
      total++;
      let match = false;
      for (const cell of cells) {
        cell.td.hidden = !allows("revision", cell);
        const fits = Boolean(cell.status) && names.every((name) => allows(name, cell));
        cell.td.classList.toggle("faint", Boolean(cell.status) && !fits);
        match ||= fits;
      }
      row.hidden = !(match && (!area.value || area.value === body.dataset.area) && words.every((word) => text.includes(word)));
      if (!row.hidden) { shown++; any = true; }
    }
    body.hidden = !any;
  }
  $("#shown").textContent = `${shown} of ${total} requirements shown`;
  $("#nothing").hidden = shown > 0;
  table.tHead.hidden = shown === 0;
}

let pause;
search.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(apply, 120); });
$("#filters").addEventListener("change", apply);
$("#reset").addEventListener("click", () => {
  for (const box of $$("#filters input")) box.checked = false;
  area.value = search.value = "";
  apply();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input, select")) return;
  event.preventDefault();
  search.focus();
});

// The fragment of the page's address names a requirement to show, so that it can be linked to.
function start() {
  let id = "";
  try { id = decodeURIComponent(location.hash.slice(1)); } catch { /* an address that somebody has mistyped */ }
  const named = groups.flatMap((group) => group.rows).find(({ row }) => row.dataset.id === id);
  if (named) {
    $("details", named.row).open = true;
    named.row.scrollIntoView({ block: "center" });
  }
  apply();
}
start();
