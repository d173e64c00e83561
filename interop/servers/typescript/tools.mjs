// The tools that answer at once.

import { fromJsonSchema } from "@modelcontextprotocol/server";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { image, sound } from "./media.mjs";

const text = (text) => ({ type: "text", text });
const picture = { type: "image", data: image, mimeType: "image/png" };
const embedded = (uri, mimeType, text) => ({ type: "resource", resource: { uri, mimeType, text } });

export function addTools(server, changes) {
  const add = (name, content) => server.registerTool(name, { description: `Returns what its name says: ${name}.` }, () => ({ content }));
  add("test_simple_text", [text("This is a simple text response for testing.")]);
  add("test_image_content", [picture]);
  add("test_audio_content", [{ type: "audio", data: sound, mimeType: "audio/wav" }]);
  add("test_embedded_resource", [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]);
  add("test_multiple_content_types", [
    text("Multiple content types test:"),
    picture,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]);
  server.registerTool("test_error_handling", { description: "Fails." }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  const region = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" }, level: { type: "integer" } } };
  server.registerTool("test_x_mcp_header", { description: "Takes an argument that a header repeats.", inputSchema: fromJsonSchema(region) }, (args) => ({
    content: [text(`region=${args.region}`)],
  }));
  addTalking(server);
  addChanging(server, changes);
}

// Those that send something on the way to their result.
function addTalking(server) {
  server.registerTool("test_tool_with_progress", { description: "Reports progress." }, async ({ mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (token !== undefined) await mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, progress, total: 100 } });
      await setTimeout(50, undefined, { signal: mcpReq.signal });
    }
    return { content: [text("done")] };
  });
  const started = ["Tool execution started"];
  for (const [name, entries] of [["test_tool_with_logging", [...started, "Tool processing data", "Tool execution completed"]], ["test_logging_tool", started]]) {
    server.registerTool(name, { description: "Writes log entries." }, async (ctx) => {
      for (const entry of entries) await ctx.mcpReq.log("info", entry);
      return { content: [text("logged")] };
    });
  }
  server.registerTool("test_sampling", { description: "Asks the client's model.", inputSchema: z.object({ prompt: z.string() }) }, async ({ prompt }, ctx) => {
    const answer = await ctx.mcpReq.requestSampling({ messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 });
    return { content: [text(`LLM response: ${answer.content.text}`)] };
  });
  server.registerTool("test_elicitation", { description: "Asks the user.", inputSchema: z.object({ message: z.string() }) }, async ({ message }, ctx) => {
    const answer = await ctx.mcpReq.elicitInput({
      message,
      requestedSchema: { type: "object", properties: { username: { type: "string" }, email: { type: "string" } }, required: ["username", "email"] },
    });
    return { content: [text(`User response: action=${answer.action}, content=${JSON.stringify(answer.content)}`)] };
  });
}

// Those after which subscribers hear of a change.
function addChanging(server, changes) {
  const add = (name, announce) =>
    server.registerTool(name, { description: `Announces what its name says: ${name}.` }, () => {
      announce();
      return { content: [text("announced")] };
    });
  add("test_trigger_tool_change", () => changes.toolsChanged());
  add("test_trigger_prompt_change", () => changes.promptsChanged());
  add("test_trigger_resource_change", () => changes.resourcesChanged());
  add("test_trigger_resource_update", () => changes.resourceUpdated("test://watched-resource"));
}
