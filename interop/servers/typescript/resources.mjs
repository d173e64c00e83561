// The resources.

import { ResourceTemplate } from "@modelcontextprotocol/server";
import { image } from "./media.mjs";

/** Adds the resources, and returns the URIs to whose updates a client of the older revisions has subscribed. */
export function addResources(server) {
  const add = (name, uri, mimeType, body) => server.registerResource(name, uri, { mimeType, description: name }, () => ({ contents: [{ uri, mimeType, ...body }] }));
  add("static-text", "test://static-text", "text/plain", { text: "This is the content of the static text resource." });
  add("static-binary", "test://static-binary", "image/png", { blob: image });
  add("watched-resource", "test://watched-resource", "text/plain", { text: "This changes." });
  server.registerResource("template", new ResourceTemplate("test://template/{id}/data", { list: undefined }), { mimeType: "application/json" }, (uri, { id }) => ({
    contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  }));
  const watched = new Set();
  server.server.setRequestHandler("resources/subscribe", ({ params }) => {
    watched.add(params.uri);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    watched.delete(params.uri);
    return {};
  });
  return watched;
}
