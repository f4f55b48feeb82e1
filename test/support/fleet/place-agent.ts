import { Socket } from 'node:net';

/**
 * Loaded into an agent's process before the agent: gives the agent its own address. Connections to the sites on CHECKED_PORTS
 * leave from OWN_ADDRESS, so that the site can distinguish agents.
 */
const { CHECKED_PORTS, OWN_ADDRESS } = process.env;
const checkedPorts = new Set(CHECKED_PORTS?.split(','));

type Connect = (this: Socket, ...args: unknown[]) => Socket;
const connect = Socket.prototype.connect as Connect;
const placed: Connect = function (...args) {
  // `net.connect` passes a list whose first element is the options.
  const options = (Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0]) as {
    port?: unknown;
    localAddress?: string;
  };
  if (checkedPorts.has(String(options?.port)) && OWN_ADDRESS) options.localAddress = OWN_ADDRESS;
  return connect.apply(this, args);
};
Socket.prototype.connect = placed;
