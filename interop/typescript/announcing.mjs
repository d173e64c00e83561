// What the server announces: at the revisions with a handshake on the stream that the client opens by GET, or on stdio; at the
// other one on a request that the client keeps open.

import assert from "node:assert/strict";
import { perRequest } from "./target.mjs";

const watched = "test://watched-resource";

const toolsChanged = "notifications/tools/list_changed";
const promptsChanged = "notifications/prompts/list_changed";
const updated = "notifications/resources/updated";

/** The handlers of a client's notifications, by method; they note in heard what was said. */
export function notes(heard) {
  const methods = ["notifications/message", toolsChanged, promptsChanged, updated];
  return Object.fromEntries(methods.map((method) => [method, ({ params }) => heard.add(method, params?.uri ?? "")]));
}

/** Has the server announce changes. */
export async function announcing(session) {
  const { client, heard, transport, revision } = session;
  const trigger = (what) => client.callTool({ name: `test_trigger_${what}`, arguments: {} });
  if (revision === perRequest) return listening(session, trigger);
  if (transport === "http") await heard.until("stream", 1);
  await lists(heard, trigger);
  await trigger("resource_update");
  await client.subscribeResource({ uri: watched });
  await update(session, trigger);
  await client.unsubscribeResource({ uri: watched });
  await trigger("resource_update");
  // What is announced together may be in any order: the second time, all that came before the first has been said.
  await lists(heard, trigger);
  await lists(heard, trigger);
  assert.deepEqual(heard.of(updated), [watched], "nothing after it has unsubscribed");
  return "list changes, resource updates, unsubscribe";
}

async function lists(heard, trigger) {
  for (const [method, what] of [[toolsChanged, "tool_change"], [promptsChanged, "prompt_change"]]) {
    const before = heard.of(method).length;
    await trigger(what);
    await heard.until(method, before + 1);
  }
}

/** Changes the resource, of which the client must hear, and reads it. */
async function update({ client, heard }, trigger) {
  const read = async () => (await client.readResource({ uri: watched })).contents[0].text;
  const before = await read();
  await trigger("resource_update");
  assert.deepEqual(await heard.until(updated, 1), [watched], "and not of what was before the subscription");
  assert.notEqual(await read(), before);
}

/** Listens for one thing only, and then for everything. */
async function listening(session, trigger) {
  const { client, heard } = session;
  const little = await listen(client, { toolsListChanged: true });
  await trigger("prompt_change");
  for (const n of [1, 2]) { // twice: what is announced together may be in any order
    await trigger("tool_change");
    await heard.until(toolsChanged, n);
  }
  assert.deepEqual(heard.of(promptsChanged), [], "nothing that it has not asked for");
  await end(little);

  await trigger("resource_update");
  const everything = await listen(client, { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: [watched] });
  await lists(heard, trigger);
  await update(session, trigger);
  await end(everything);
  return "list changes, resource updates";
}

async function listen(client, filter) {
  const subscription = await client.listen(filter);
  assert.deepEqual(subscription.honoredFilter, filter);
  return subscription;
}

async function end(subscription) {
  await subscription.close();
  assert.equal(await subscription.closed, "local");
}
