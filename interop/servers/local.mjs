// Loaded in front of a server that would listen on every address of the machine: it listens on 127.0.0.1 alone.
//
//	node --import ./local.mjs SERVER

import net from "node:net";

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  const callback = rest.find((argument) => typeof argument === "function");
  return listen.call(this, { port: Number(port), host: "127.0.0.1" }, callback);
};
