// A server on the public API of the TypeScript SDK's second generation, which ships no server that can be run. It has those
// features of the reference fixture that the harness's transcripts name, and leaves everything else to the SDK.
//
//	node server.mjs http PORT     on 127.0.0.1, at /mcp, as the SDK's guide for node:http shows
//	node server.mjs stdio

import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { addPrompts } from "./prompts.mjs";
import { addResources } from "./resources.mjs";
import { addRounds, states } from "./rounds.mjs";
import { addTools } from "./tools.mjs";

/** A server with everything. notify(server, watched) is what announces a change: it differs between HTTP and stdio. */
function build(notify) {
  const server = new McpServer(
    { name: "typescript-sdk-fixture", version: "1.0.0" },
    {
      capabilities: {
        logging: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
      requestState: { verify: states.verify },
    },
  );
  const watched = addResources(server);
  addTools(server, notify(server, watched));
  addRounds(server);
  addPrompts(server);
  return server;
}

function http(port) {
  const handler = createMcpHandler(() => build(() => handler.notify));
  const serve = toNodeHandler(handler);
  const hostIsLocal = localhostHostValidation();
  const originIsLocal = localhostOriginValidation();
  createServer((request, response) => {
    if (hostIsLocal(request, response) && originIsLocal(request, response)) void serve(request, response);
  }).listen(port, "127.0.0.1");
}

function stdio() {
  serveStdio(({ era }) =>
    build((server, watched) => ({
      toolsChanged: () => server.sendToolListChanged(),
      promptsChanged: () => server.sendPromptListChanged(),
      resourcesChanged: () => server.sendResourceListChanged(),
      resourceUpdated: (uri) => (era === "modern" || watched.has(uri)) && server.server.sendResourceUpdated({ uri }),
    })),
  );
}

const [transport, port] = process.argv.slice(2);
if (transport === "http") http(Number(port));
else stdio();
