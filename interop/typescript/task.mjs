// A client of the TypeScript SDKs as `parley mock` runs it: it reads what to do from PARLEY_TASK, makes the calls, and answers what
// it is asked. What the client has no call for is exit code 77.
//
//	parley mock -- node task.mjs          # generation 2
//	parley mock -- node task.mjs sdk      # generation 1, which has handshakes alone

const task = JSON.parse(process.env.PARLEY_TASK);
const old = process.argv[2] === "sdk";
const perRequest = "2026-07-28";
const unable = 77;
if (old && task.revision === perRequest) process.exit(unable);

const from = (path, module) => import(old ? `@modelcontextprotocol/sdk/client/${path}.js` : `@modelcontextprotocol/client${module}`);
const { Client } = await from("index", "");
const { StdioClientTransport } = await from("stdio", "/stdio");
const { StreamableHTTPClientTransport } = await from("streamableHttp", "");
const types = old ? await import("@modelcontextprotocol/sdk/types.js") : {};

/** The schema by which generation 1 knows a method; generation 2 takes the method. */
const schemas = {
  "elicitation/create": types.ElicitRequestSchema,
  "sampling/createMessage": types.CreateMessageRequestSchema,
  "roots/list": types.ListRootsRequestSchema,
};
const capabilityOf = { "elicitation/create": { elicitation: { form: {} } }, "sampling/createMessage": { sampling: {} }, "roots/list": { roots: {} } };

const answers = Object.entries(task.answers ?? {});
const capabilities = Object.assign({}, ...answers.map(([method]) => capabilityOf[method]));
const options = { capabilities };
if (!old && task.revision === perRequest) options.versionNegotiation = { mode: { pin: task.revision } };
if (!old && task.revision !== perRequest) options.supportedProtocolVersions = [task.revision];

const client = new Client({ name: "task", version: "1" }, options);
for (const [method, answer] of answers) client.setRequestHandler(old ? schemas[method] : method, () => answer);
const [command, ...args] = task.command ?? [];
const transport =
  task.transport === "stdio"
    ? new StdioClientTransport({ command, args, stderr: "inherit" })
    : new StreamableHTTPClientTransport(new URL(task.url));
await client.connect(transport);

/** The tools that the client has shown. */
const shown = new Set();

/** All pages of the tools: generation 2 gathers them itself, generation 1 leaves that to its caller. */
async function listTools() {
  let cursor;
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor });
    for (const tool of page.tools) shown.add(tool.name);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

const calls = {
  "tools/list": listTools,
  "tools/call": (params, o) => (old ? client.callTool(params, undefined, o) : client.callTool(params, o)),
  "prompts/get": (params) => client.getPrompt(params),
  "resources/read": (params) => client.readResource(params),
  "resources/subscribe": (params) => client.subscribeResource(params),
  "resources/unsubscribe": (params) => client.unsubscribeResource(params),
  "completion/complete": (params) => client.complete(params),
  "logging/setLevel": ({ level }) => client.setLoggingLevel(level),
  ping: () => client.ping(),
};

async function make(call) {
  if (call.method === "subscriptions/listen" && client.listen) {
    const subscription = await client.listen(call.params.notifications);
    return subscription.close();
  }
  if (!calls[call.method]) process.exit(unable);
  const giveUp = new AbortController();
  const o = { signal: giveUp.signal, timeout: 10_000 };
  if (call.progress) o.onprogress = () => call.cancel && giveUp.abort("not wanted any more");
  return calls[call.method](call.params, o);
}

let failed = false;
for (const call of task.calls) {
  if (call.listed && !shown.has(call.params.name)) continue;
  try {
    await make(call);
  } catch (error) {
    if (call.mayFail || call.cancel) continue;
    console.error(`${call.method}: ${error.message}`);
    failed = true;
    break;
  }
}
if (transport.terminateSession) await transport.terminateSession().catch(() => {});
await client.close();
process.exit(failed ? 1 : 0);
