import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { EgressPolicy } from '@watchpost/shared/egress';

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
 */
export function createEgressAgent(policy: EgressPolicy): Agent {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guardedLookup(policy) });
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

function guardedLookup(policy: EgressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '');
        return;
      }
      const allowed = addresses.filter(({ address }) => policy.allows(address));
      const first = allowed[0];
      if (first === undefined) callback(refused(policy.why(addresses[0]?.address ?? '')), '');
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(why: string): EgressRefused {
  return new EgressRefused(`This service may not connect there: ${why}.`);
}
