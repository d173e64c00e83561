// The server under test, and the table of what was done to it.
//
// The server is `parley serve`: INTEROP_PROGRAM is the program. One process serves everything over HTTP that a client can be
// told to speak; a client that always asks for the same revision gets a server that serves only the other one, which is how
// a server makes it speak that. INTEROP_URL and INTEROP_STDIO name another server instead, which is never restricted.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

export const revisions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

/** The revision without a handshake: no ping, and a log level for each call. */
export const perRequest = revisions[0];

/** The revision whose definitions have no _meta, and so no user interfaces. */
export const bare = revisions[3];

/** Whether the server is this module's: its lists come in short pages. */
export const ours = !process.env.INTEROP_URL;

const program = process.env.INTEROP_PROGRAM;
assert(program || (process.env.INTEROP_URL && process.env.INTEROP_STDIO), "run this by `go run ./interop`");

function flags(only) {
  return ["--page-size", "3", ...(only ? ["--revisions", only] : [])];
}

/** The command line of a server over stdio that serves every revision, or only one. */
export function stdio(only) {
  if (!ours) {
    const [command, ...args] = process.env.INTEROP_STDIO.split(/\s+/);
    return { command, args };
  }
  return { command: program, args: ["serve", "--stdio", ...flags(only)] };
}

const servers = new Map();

/** The URL of a running server that serves every revision, or only one. */
export async function url(only) {
  if (!ours) return process.env.INTEROP_URL;
  if (!servers.has(only)) servers.set(only, start(only));
  return (await servers.get(only)).url;
}

function start(only) {
  const child = spawn(program, ["serve", "--http", "127.0.0.1:0", ...flags(only)], { stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface(child.stderr).on("line", (line) => {
      const found = /listening on (https?:\/\/\S+)/.exec(line);
      if (found) resolve({ url: found[1], child });
    });
  });
}

/** Ends the servers that were started. */
export async function stop() {
  for (const starting of servers.values()) {
    const { child } = await starting;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill();
    await gone;
  }
  servers.clear();
}

/** Adds a line to the table that `go run ./interop` prints. */
export function report(row) {
  if (process.env.INTEROP_REPORT) appendFileSync(process.env.INTEROP_REPORT, JSON.stringify(row) + "\n");
}
