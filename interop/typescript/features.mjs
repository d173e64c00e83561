// What every client does in a session: each kind of feature of the server is listed and used, and checked as far as the
// client shows it. The two SDKs name these calls alike.

import assert from "node:assert/strict";
import { announcing } from "./announcing.mjs";
import { asking } from "./asking.mjs";
import { bare, ours, perRequest } from "./target.mjs";

const logLevel = "io.modelcontextprotocol/logLevel";

/**
 * Uses every feature and returns in words what was done.
 *
 * A session has: client, connected, of either SDK; callTool(params, options), which the SDKs spell differently; sent, the
 * methods sent so far; heard, what its handlers have been told so far; and the transport and revision that it speaks.
 */
export async function useEverything(session) {
  const did = [];
  for (const step of [tools, mirroring, progress, logging, resources, prompts, completion, app, asking, announcing, ping]) {
    const words = await step(session);
    if (words) did.push(words);
  }
  return did;
}

/** Makes transport note in sent the methods that go out through it, and in heard what comes in, before the client has it. */
export function noteTraffic(transport, sent, heard) {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (message.method) sent.push(message.method);
    return send(message, options);
  };
  let take;
  Object.defineProperty(transport, "onmessage", {
    get: () => take,
    set: (next) => {
      take = next && ((message, extra) => {
        if (heard.of("message").at(-1) !== message) heard.add("message", message); // one of these may call another
        next(message, extra);
      });
    },
  });
}

/** Lists everything of one kind; counts pages by what was sent, since a client may page by itself. */
async function all({ sent }, what, method, list) {
  const from = sent.length;
  const items = [];
  let cursor;
  do {
    const page = await list(cursor === undefined ? undefined : { cursor });
    items.push(...page[what]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const pages = sent.slice(from).filter((m) => m === method).length;
  assert(items.length > 0, `${what}: none`);
  if (ours) assert(pages > 1, `${what} must come in several pages`);
  return { items, words: `${what} ${items.length} in ${pages}` };
}

async function call(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  assert(result.content.length > 0, `${name}: no content`);
  return result;
}

async function tools(session) {
  const { client } = session;
  const { items, words } = await all(session, "tools", "tools/list", (p) => client.listTools(p));
  session.tools = items;
  for (const tool of items) assert.equal(tool.inputSchema.type, "object", tool.name);
  assert.equal((await call(client, "test_simple_text")).content[0].type, "text");
  assert.equal((await call(client, "test_image_content")).content[0].mimeType, "image/png");
  assert.equal((await call(client, "test_audio_content")).content[0].mimeType, "audio/wav");
  assert.equal((await call(client, "test_embedded_resource")).content[0].resource.uri, "test://embedded-resource");
  assert((await call(client, "test_multiple_content_types")).content.length >= 3);
  assert.equal((await call(client, "test_error_handling")).isError, true);
  assert.equal((await call(client, "greet", { name: "Ada" })).content[0].text, "Hello, Ada!");
  await assert.rejects(client.callTool({ name: "no-such-tool", arguments: {} }));
  return `${words}, tools/call`;
}

/** A parameter that travels in a header too, where the revision has that. */
async function mirroring({ client, transport, revision }) {
  await call(client, "test_x_mcp_header", { region: "Zürich" });
  return transport === "http" && revision === perRequest ? "Mcp-Param-*" : "";
}

/**
 * What comes in has all of the progress before the answer. The library forgets the handler as soon as it has read the answer,
 * and runs it a moment after it has read the progress: if it reads both at once, the last value is lost there.
 */
async function progress({ callTool, heard }) {
  const values = [];
  const from = heard.of("message").length;
  await callTool({ name: "test_tool_with_progress", arguments: {} }, { onprogress: (p) => values.push(p.progress) });
  const came = heard.of("message").slice(from).map((m) => (m.method === "notifications/progress" ? m.params.progress : "answer"));
  assert.deepEqual(came, [0, 50, 100, "answer"]);
  assert(values.length >= 2, "the client's own handler");
  assert.deepEqual(values, [0, 50, 100].slice(0, values.length));
  return "progress";
}

async function logging({ client, heard, revision }) {
  const name = revision === perRequest ? "test_logging_tool" : "test_tool_with_logging";
  const params = { name, arguments: {} };
  if (revision === perRequest) params._meta = { [logLevel]: "debug" };
  else await client.setLoggingLevel("debug");
  await client.callTool(params);
  await heard.until("notifications/message", 1);
  return "logging";
}

async function resources(session) {
  const { client } = session;
  const listed = await all(session, "resources", "resources/list", (p) => client.listResources(p));
  const { resourceTemplates } = await client.listResourceTemplates();
  assert(resourceTemplates.some((t) => t.uriTemplate === "test://template/{id}/data"));
  const text = await read(client, "test://static-text");
  assert.equal(text.mimeType, "text/plain");
  assert(text.text.length > 0);
  assert((await read(client, "test://static-binary")).blob.length > 0);
  assert.match((await read(client, "test://template/123/data")).text, /123/);
  await assert.rejects(client.readResource({ uri: "test://no-such-resource" }));
  return `${listed.words}, templates, resources/read`;
}

async function read(client, uri) {
  const { contents } = await client.readResource({ uri });
  assert.equal(contents.length, 1, uri);
  assert.equal(contents[0].uri, uri);
  return contents[0];
}

async function prompts(session) {
  const { client } = session;
  const { words } = await all(session, "prompts", "prompts/list", (p) => client.listPrompts(p));
  const get = async (name, args) => (await client.getPrompt({ name, arguments: args })).messages;
  assert.equal((await get("test_simple_prompt"))[0].content.type, "text");
  const { text } = (await get("test_prompt_with_arguments", { arg1: "one", arg2: "two" }))[0].content;
  assert(text.includes("one") && text.includes("two"), text);
  const embedded = await get("test_prompt_with_embedded_resource", { resourceUri: "test://r" });
  assert(embedded.some((m) => m.content.type === "resource" && m.content.resource.uri === "test://r"));
  assert((await get("test_prompt_with_image")).some((m) => m.content.type === "image"));
  return `${words}, prompts/get`;
}

async function completion({ client }) {
  const ref = { type: "ref/prompt", name: "test_prompt_with_arguments" };
  const answer = await client.complete({ ref, argument: { name: "arg1", value: "test" } });
  assert(Array.isArray(answer.completion.values));
  return "completion";
}

/** Finds the tool's user interface as a host of MCP Apps does. */
async function app({ client, tools, revision }) {
  const tool = tools.find((t) => t.name === "show_clock");
  if (revision === bare) {
    assert.equal(tool._meta, undefined, "a member that the revision does not have");
    return "";
  }
  assert.equal(tool._meta.ui.resourceUri, "ui://parley/clock");
  assert.equal((await read(client, tool._meta.ui.resourceUri)).mimeType, "text/html;profile=mcp-app");
  await call(client, "show_clock");
  return "app";
}

async function ping({ client, revision }) {
  if (revision === perRequest) return "";
  await client.ping();
  return "ping";
}
