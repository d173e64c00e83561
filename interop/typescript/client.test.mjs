// The TypeScript SDK's client, generation 2. It is told which revision to speak: a handshake revision by the versions that it
// supports, the per-request one by pinning it.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { notes } from "./announcing.mjs";
import { answers, capabilities } from "./asking.mjs";
import { noteTraffic, useEverything } from "./features.mjs";
import { Heard, noteStreams } from "./heard.mjs";
import { perRequest, report, revisions, stdio, stop, url } from "./target.mjs";

after(stop);

const transports = {
  http: async (heard) => new StreamableHTTPClientTransport(new URL(await url()), { fetch: noteStreams(heard) }),
  stdio: async () => new StdioClientTransport({ ...stdio(), stderr: "ignore" }),
};

function options(revision) {
  if (revision === perRequest) return { capabilities, versionNegotiation: { mode: { pin: revision } } };
  return { capabilities, supportedProtocolVersions: [revision] };
}

for (const revision of revisions) {
  for (const [transport, connect] of Object.entries(transports)) {
    test(`client 2.4, ${revision}, ${transport}`, { timeout: 60_000 }, async () => {
      const client = new Client({ name: "interop", version: "1" }, options(revision));
      const [sent, heard] = [[], new Heard()];
      for (const [method, handler] of Object.entries(answers(heard))) client.setRequestHandler(method, handler);
      for (const [method, handler] of Object.entries(notes(heard))) client.setNotificationHandler(method, handler);
      const via = await connect(heard);
      noteTraffic(via, sent, heard);
      await client.connect(via);
      try {
        assert.equal(client.getNegotiatedProtocolVersion(), revision);
        const callTool = (params, o) => client.callTool(params, o);
        const did = await useEverything({ client, callTool, sent, heard, transport, revision });
        report({ client: "@modelcontextprotocol/client 2.4.0", transport, revision, did });
      } finally {
        await client.close();
      }
    });
  }
}
