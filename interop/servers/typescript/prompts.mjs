// The prompts.

import { completable } from "@modelcontextprotocol/server";
import { z } from "zod";
import { image, sound } from "./media.mjs";

const say = (...blocks) => ({ messages: blocks.map((content) => ({ role: "user", content })) });
const text = (text) => ({ type: "text", text });

export function addPrompts(server) {
  server.registerPrompt("test_simple_prompt", { description: "Has no arguments." }, () => say(text("This is a simple prompt for testing.")));
  const two = z.object({ arg1: completable(z.string(), (value) => ["test1", "test2"].filter((word) => word.startsWith(value))), arg2: z.string() });
  server.registerPrompt("test_prompt_with_arguments", { description: "Has two arguments.", argsSchema: two }, ({ arg1, arg2 }) =>
    say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt("test_prompt_with_embedded_resource", { description: "Embeds a resource.", argsSchema: z.object({ resourceUri: z.string() }) }, ({ resourceUri }) =>
    say({ type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." } }, text("Please process the embedded resource above.")),
  );
  server.registerPrompt("test_prompt_with_image", { description: "Has a picture." }, () => say({ type: "image", data: image, mimeType: "image/png" }, text("Please analyze the image above.")));
  server.registerPrompt("test_prompt_with_audio", { description: "Has a sound." }, () => say({ type: "audio", data: sound, mimeType: "audio/wav" }));
}
