// The Inspector's command line: one process, and one connection, for each command. It is told an era, not a revision: the
// modern era is the per-request revision, the legacy one asks for the newest handshake revision, and a server that serves
// only an older one makes it speak that. It cannot complete arguments or ping, and pages by itself.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { bare, ours, perRequest, report, revisions, stdio, stop, url } from "./target.mjs";

const launcher = join(import.meta.dirname, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const run = promisify(execFile);

// The Inspector keeps files in the home folder: it gets one of its own.
let home;
before(async () => (home = await mkdtemp(join(tmpdir(), "inspector-"))));
after(async () => {
  await stop();
  await rm(home, { recursive: true });
});

/** What the Inspector prints for a method, and the code it exits with. */
async function inspect(server, method, ...options) {
  const args = [launcher, "--cli", "--method", method, ...options, "--format", "json", ...server];
  const settings = { env: { ...process.env, HOME: home, USERPROFILE: home }, timeout: 60_000 };
  try {
    const { stdout } = await run(process.execPath, args, settings);
    return { code: 0, printed: JSON.parse(stdout) };
  } catch (error) {
    if (typeof error.code !== "number") throw error;
    return { code: error.code, printed: error.stdout ? JSON.parse(error.stdout) : undefined, said: error.stderr };
  }
}

const targets = {
  http: async (only) => [await url(only)],
  stdio: async (only) => {
    const { command, args } = stdio(only);
    return ["--", command, ...args];
  },
};

for (const revision of revisions) {
  const legacy = revision !== perRequest;
  const only = legacy && revision !== revisions[1] ? revision : undefined;
  if (only && !ours) continue;
  for (const [transport, target] of Object.entries(targets)) {
    test(`inspector 2.12, ${revision}, ${transport}`, { timeout: 120_000 }, async () => {
      const server = ["--protocol-era", legacy ? "legacy" : "modern", ...(await target(only))];
      const result = async (method, ...options) => {
        const { code, printed, said } = await inspect(server, method, ...options);
        assert.equal(code, 0, `${method} ${options.join(" ")}: ${said}`);
        return printed.result;
      };
      assert.equal((await result("initialize")).protocolVersion, revision);
      const did = [await tools(result), await resources(result), await prompts(result), await app(server, revision)].filter(Boolean);
      if (legacy) {
        assert.deepEqual(await result("logging/setLevel", "--log-level", "debug"), {});
        did.push("logging/setLevel");
      }
      report({ client: "inspector 2.12.0 --cli", transport, revision, did, note: only ? "server restricted to it" : "" });
    });
  }
}

async function tools(result) {
  const { tools } = await result("tools/list");
  assert(tools.some((t) => t.name === "greet") && tools.some((t) => t.name === "show_clock"));
  const called = await result("tools/call", "--tool-name", "greet", "--tool-arg", "name=Ada");
  assert.equal(called.content[0].text, "Hello, Ada!");
  return `tools ${tools.length}, tools/call`;
}

async function resources(result) {
  const { resources } = await result("resources/list");
  assert(resources.some((r) => r.uri === "test://static-text"));
  const { resourceTemplates } = await result("resources/templates/list");
  assert(resourceTemplates.some((t) => t.uriTemplate === "test://template/{id}/data"));
  const { contents } = await result("resources/read", "--uri", "test://template/123/data");
  assert.match(contents[0].text, /123/);
  return `resources ${resources.length}, templates, resources/read`;
}

async function prompts(result) {
  const { prompts } = await result("prompts/list");
  const args = ["--prompt-args", "arg1=one", "arg2=two"];
  const { messages } = await result("prompts/get", "--prompt-name", "test_prompt_with_arguments", ...args);
  assert(messages[0].content.text.includes("one") && messages[0].content.text.includes("two"));
  return `prompts ${prompts.length}, prompts/get`;
}

/** The domain of a server's user interfaces; a server without a URL has none. */
function sandbox(url) {
  return url && ours ? `${createHash("sha256").update(url).digest("hex").slice(0, 32)}.claudemcpcontent.com` : undefined;
}

/** The user interface of a tool that has one, and the refusal for a tool that has none. */
async function app(server, revision) {
  const clock = await inspect(server, "tools/call", "--tool-name", "show_clock", "--app-info");
  if (revision === bare) {
    assert.equal(clock.code, 2, "a member that the revision does not have");
    return "";
  }
  assert.equal(clock.code, 0, clock.said);
  const { domain, ...info } = clock.printed.appInfo;
  assert.equal(info.hasApp, true);
  assert.equal(info.resourceUri, "ui://parley/clock");
  assert.equal(info.resourceMimeType, "text/html;profile=mcp-app");
  assert.equal(domain, sandbox(server.find((word) => word.startsWith("http"))));
  const greet = await inspect(server, "tools/call", "--tool-name", "greet", "--app-info");
  assert.equal(greet.code, 2, greet.said);
  assert.equal(greet.printed.appInfo.hasApp, false);
  return `--app-info${domain ? " with domain" : ""}`;
}
