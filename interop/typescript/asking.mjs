// What the server asks of the client. The client has one handler for each kind of question; how a question reaches it, as a
// request or in a result that its library answers by calling again, is the library's affair.

import assert from "node:assert/strict";
import { bare, perRequest } from "./target.mjs";

/** The revision in whose forms only a boolean can have a default, and nobody can choose several. */
const plainForms = "2025-06-18";

/** What a client declares that answers everything, and whose library fills in a form's defaults. */
export const capabilities = { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: { listChanged: true } };

const workplace = { name: "interop", uri: "file:///interop" };
const said = "It is Paris.";
const refusable = "Do you want to give away your account?";

/** What the user fills in. What has a default is left to the library. */
const filled = {
  username: "ada", email: "ada@example.com",
  name: "Ada", age: 36, score: 9.5, status: "inactive", verified: false,
  color: "green", context: "interop",
  untitledSingle: "option2", titledSingle: "value2", legacyEnum: "opt2",
  untitledMulti: ["option1", "option3"], titledMulti: ["value1"],
};

/** The handlers of a client's requests, by method; they note in heard what was asked. */
export function answers(heard) {
  return {
    "elicitation/create": ({ params }) => {
      heard.add("elicitation", params.message);
      return params.message === refusable ? { action: "decline" } : { action: "accept", content: fillIn(params) };
    },
    "sampling/createMessage": ({ params: { messages, maxTokens } }) => {
      assert.equal(messages.length, 1);
      assert.equal(maxTokens, 100);
      heard.add("sampling", messages[0].content.text);
      return { role: "assistant", content: { type: "text", text: said }, model: "interop", stopReason: "endTurn" };
    },
    "roots/list": () => {
      heard.add("roots", "");
      return { roots: [workplace] };
    },
  };
}

function fillIn({ requestedSchema }) {
  const content = {};
  for (const [name, field] of Object.entries(requestedSchema.properties)) {
    if (field.default !== undefined) continue;
    assert(name in filled, `an unexpected field: ${name}`);
    content[name] = filled[name];
  }
  return content;
}

/** Calls a tool that asks, and returns what it made of the answers. */
async function answer({ client }, name, args = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  assert(!isError, `${name}: ${content[0].text}`);
  return content[0].text;
}

/** Has the server ask everything that the revision has. */
export async function asking(session) {
  const { heard, revision } = session;
  assert.equal(await answer(session, "test_sampling", { prompt: "Which city?" }), `LLM response: ${said}`);
  assert((await answer(session, "test_input_required_result_sampling")).includes(said));
  assert.deepEqual(heard.of("sampling"), ["Which city?", "What is the capital of France?"]);
  assert((await answer(session, "test_input_required_result_list_roots")).includes(workplace.uri));
  assert.equal(heard.of("roots").length, 1);
  const did = "sampling, roots, ";
  if (revision === bare) return did + (await askedInVain(session));
  return did + (await forms(session)) + (await several(session));
}

/** Calls tools that ask for what the revision does not have. */
async function askedInVain({ client, heard }) {
  const names = ["test_elicitation_sep1034_defaults", "test_input_required_result_elicitation", "test_input_required_result_multiple_inputs"];
  for (const name of names) await assert.rejects(client.callTool({ name, arguments: {} }), /capability/, name);
  assert.deepEqual(heard.of("elicitation"), []);
  assert.equal(heard.of("sampling").length, 2, "nothing is asked when something cannot be");
  return "refused to elicit, which the revision does not have";
}

async function forms(session) {
  const { heard, revision } = session;
  const account = await answer(session, "test_elicitation", { message: "Who are you?" });
  assert(account.includes('action=accept, content={"username":"ada","email":"ada@example.com"}'), account);
  assert.match(await answer(session, "test_elicitation", { message: refusable }), /action=decline/);
  assert.equal(await answer(session, "test_input_required_result_elicitation"), "Hello, Ada!");
  assert.deepEqual(heard.of("elicitation"), ["Who are you?", refusable, "What is your name?"]);

  const old = revision === plainForms;
  const expected = old
    ? '{"name":"Ada","age":36,"score":9.5,"status":"inactive","verified":true}'
    : '{"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true}';
  const profile = await answer(session, "test_elicitation_sep1034_defaults");
  assert(profile.includes(`content=${expected}`), profile);
  return `elicitation, defaults, ${await choices(session, old)}`;
}

async function choices(session, old) {
  const name = "test_elicitation_sep1330_enums";
  if (old) {
    const { isError } = await session.client.callTool({ name, arguments: {} });
    assert.equal(isError, true, "several choices, which the revision does not have");
    return "refused a choice of several, which the revision does not have, ";
  }
  const { untitledSingle, titledSingle, legacyEnum, untitledMulti, titledMulti } = filled;
  const expected = JSON.stringify({ untitledSingle, titledSingle, legacyEnum, untitledMulti, titledMulti });
  const chosen = await answer(session, name);
  assert(chosen.includes(`content=${expected}`), chosen);
  return "choices, ";
}

/** Has the server ask several things: at once, one after the other, and for a prompt. */
async function several(session) {
  const { client, heard, sent, revision } = session;
  const before = heard.of("elicitation").length;
  const all = await answer(session, "test_input_required_result_multiple_inputs");
  for (const part of ["Ada", said, workplace.uri]) assert(all.includes(part), all);
  const from = sent.length;
  const twice = await answer(session, "test_input_required_result_multi_round");
  assert(twice.includes("Ada") && twice.includes("green"), twice);
  const calls = sent.slice(from).filter((m) => m === "tools/call").length;
  assert.equal(calls, revision === perRequest ? 3 : 1, "a call for each round, where there are rounds");
  const { messages } = await client.getPrompt({ name: "test_input_required_result_prompt" });
  assert(messages[0].content.text.includes("interop"));
  assert.equal(heard.of("elicitation").length, before + 4, "each question once");
  return "several asks";
}
