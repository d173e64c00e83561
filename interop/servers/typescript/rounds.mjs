// The tools that need an answer before they have a result. The SDK asks a client of an older revision itself.

import { randomBytes } from "node:crypto";
import { acceptedContent, CLIENT_CAPABILITIES_META_KEY, createRequestStateCodec, inputRequired, inputResponse } from "@modelcontextprotocol/server";

/** Seals and opens what travels through the client between two rounds. */
export const states = createRequestStateCodec({ key: randomBytes(32) });

const text = (text) => ({ content: [{ type: "text", text }] });
const schema = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
const askName = () => inputRequired.elicit({ message: "What is your name?", requestedSchema: schema({ name: { type: "string" } }) });
const askOK = () => inputRequired.elicit({ message: "Go on?", requestedSchema: schema({ ok: { type: "boolean" } }) });
const askModel = () =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }], maxTokens: 100 });

export function addRounds(server) {
  const add = (name, run) => server.registerTool(`test_input_required_result_${name}`, { description: "Asks, then answers." }, (ctx) => run(ctx.mcpReq));
  const askOnce = ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, "capital_question");
    if (answer.kind !== "sampling") return inputRequired({ inputRequests: { capital_question: askModel() } });
    return text(answer.result.content.text);
  };
  add("elicitation", ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, "user_name");
    if (answer.kind === "elicit" && answer.action !== "accept") return text("Hello, whoever you are!");
    if (typeof answer.content?.name !== "string") return inputRequired({ inputRequests: { user_name: askName() } });
    return text(`Hello, ${answer.content.name}!`);
  });
  add("sampling", askOnce);
  add("capabilities", askOnce);
  server.registerTool("test_missing_capability", { description: "Needs a client with a model." }, ({ mcpReq }) =>
    mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY]?.sampling ? text("The client has a model.") : askOnce(mcpReq),
  );
  add("list_roots", ({ inputResponses }) => {
    const answer = inputResponse(inputResponses, "client_roots");
    if (answer.kind !== "roots") return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    return text(answer.roots.map((root) => root.uri).join(" "));
  });
  for (const name of ["request_state", "tampered_state"]) {
    add(name, async ({ inputResponses, requestState }) => {
      if (!acceptedContent(inputResponses, "confirm") || !requestState()) {
        return inputRequired({ inputRequests: { confirm: askOK() }, requestState: await states.mint({ step: 1 }) });
      }
      return text("state-ok");
    });
  }
}
