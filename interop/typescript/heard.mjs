// What the server says to a client's handlers, and a way to wait for more of it.

import assert from "node:assert/strict";

/** How long a test waits for something that the server must say, in milliseconds. */
const patience = 10_000;

export class Heard {
  #items = new Map();
  #waiting = new Set();

  /** Notes one thing of a kind. */
  add(kind, item) {
    this.of(kind).push(item);
    for (const look of this.#waiting) look();
  }

  /** Everything of a kind so far. */
  of(kind) {
    if (!this.#items.has(kind)) this.#items.set(kind, []);
    return this.#items.get(kind);
  }

  /** Waits until there are n things of a kind, and returns them. */
  async until(kind, n) {
    const items = this.of(kind);
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => done(() => reject(tooFew(kind, n, items))), patience);
      const look = () => items.length >= n && done(resolve);
      const done = (settle) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        settle();
      };
      this.#waiting.add(look);
      look();
    });
    return items;
  }
}

function tooFew(kind, n, items) {
  return new assert.AssertionError({ message: `${kind}: ${items.length} instead of ${n}: ${JSON.stringify(items)}` });
}

/** A fetch that notes when a stream for what the server says unprompted is open. */
export function noteStreams(heard) {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method === "GET" && response.ok) heard.add("stream", response.status);
    return response;
  };
}
