// The TypeScript SDK, generation 1. It always asks for the newest handshake revision, and speaks an older one when the server
// answers with that: so the older ones are tested against servers that serve nothing else. It knows no per-request revision.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
import { notes } from "./announcing.mjs";
import { answers, capabilities } from "./asking.mjs";
import { noteTraffic, useEverything } from "./features.mjs";
import { Heard, noteStreams } from "./heard.mjs";
import { ours, perRequest, report, revisions, stdio, stop, url } from "./target.mjs";

after(stop);

const name = "@modelcontextprotocol/sdk 1.32.2";
const transports = {
  http: async (heard, only) => new StreamableHTTPClientTransport(new URL(await url(only)), { fetch: noteStreams(heard) }),
  stdio: async (heard, only) => new StdioClientTransport({ ...stdio(only), stderr: "ignore" }),
};

/** The schema by which this library knows a method. */
const schemas = {
  "elicitation/create": types.ElicitRequestSchema,
  "sampling/createMessage": types.CreateMessageRequestSchema,
  "roots/list": types.ListRootsRequestSchema,
  "notifications/message": types.LoggingMessageNotificationSchema,
  "notifications/tools/list_changed": types.ToolListChangedNotificationSchema,
  "notifications/prompts/list_changed": types.PromptListChangedNotificationSchema,
  "notifications/resources/updated": types.ResourceUpdatedNotificationSchema,
};

for (const revision of revisions) {
  const asks = revision === types.LATEST_PROTOCOL_VERSION;
  if (revision === perRequest || (!asks && !ours)) continue;
  for (const [transport, connect] of Object.entries(transports)) {
    test(`sdk 1.32, ${revision}, ${transport}`, { timeout: 60_000 }, async () => {
      const client = new Client({ name: "interop", version: "1" }, { capabilities });
      const [sent, heard] = [[], new Heard()];
      for (const [method, handler] of Object.entries(answers(heard))) client.setRequestHandler(schemas[method], handler);
      for (const [method, handler] of Object.entries(notes(heard))) client.setNotificationHandler(schemas[method], handler);
      const via = await connect(heard, asks ? undefined : revision);
      noteTraffic(via, sent, heard);
      let spoken;
      const told = via.setProtocolVersion?.bind(via);
      via.setProtocolVersion = (version) => {
        spoken = version;
        told?.(version);
      };
      await client.connect(via);
      try {
        assert.equal(spoken, revision);
        const callTool = (params, o) => client.callTool(params, undefined, o);
        const did = await useEverything({ client, callTool, sent, heard, transport, revision });
        report({ client: name, transport, revision, did, note: asks ? "" : "server restricted to it" });
      } finally {
        await client.close();
      }
    });
  }
}

report({ client: name, transport: "both", revision: perRequest, did: [], note: "the client does not speak it" });
