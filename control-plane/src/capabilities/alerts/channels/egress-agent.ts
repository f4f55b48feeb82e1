import { isIPv6, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { SystemNames } from '@watchpost/shared/names/system-names';

/** The policy does not let us connect there; the message is a whole sentence. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
}

const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;
const CONNECTIONS_A_HOST = 8;
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Connections to hosts that users name. The policy judges what a name resolves to before it is connected to, and
 * the peer once it is: between the two, a name cannot turn into another address.
 * @param names looks names up on no thread of libuv's: a name that resolves slowly holds up nobody else
 */
export function createEgressAgent(policy: EgressPolicy, names: Pick<SystemNames, 'lookup'> = new SystemNames()): Agent {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guardedLookup(policy, names) });
  return new Agent({
    connections: CONNECTIONS_A_HOST,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect(options, callback) {
      const refusal = policy.refusal(options.hostname);
      if (refusal !== null) {
        callback(refused(refusal), null);
        return;
      }
      connect(options, (...[error, socket]) => {
        if (error) {
          callback(error, null);
          return;
        }
        const peer = socket.remoteAddress;
        if (peer !== undefined && policy.allows(peer)) {
          callback(null, socket);
          return;
        }
        socket.destroy();
        callback(refused(peer === undefined ? 'the peer is not known' : policy.why(peer)), null);
      });
    },
  });
}

function guardedLookup(policy: EgressPolicy, { lookup }: Pick<SystemNames, 'lookup'>): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error) {
        // As the system's lookup calls every failure that may pass.
        callback(error.code === 'ENOTFOUND' ? error : Object.assign(error, { code: 'EAI_AGAIN' }), '');
        return;
      }
      const allowed = addresses
        .filter((address) => policy.allows(address))
        .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      const first = allowed[0];
      if (first === undefined) callback(refused(policy.why(addresses[0] ?? '')), '');
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(why: string): EgressRefused {
  return new EgressRefused(`This service may not connect there: ${why}.`);
}
