import { isIPv6, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { SystemNames } from '@watchpost/shared/names/system-names';

/** The egress policy refuses the connection; the message is a complete sentence. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
}

const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Creates an agent for connections to hosts that users enter. The policy checks the resolved addresses before
 * connecting and the peer address afterwards, so that a name cannot change to a refused address in between.
 * Connections to one host have no limit of their own: many tenants have receivers at the same service, and those of one
 * would wait for the slow ones of another. The delivery slots bound them.
 * @param names resolves names outside the thread pool of libuv, so that a slow name does not delay others
 */
export function createEgressAgent(policy: EgressPolicy, names: Pick<SystemNames, 'lookup'> = new SystemNames()): Agent {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guardedLookup(policy, names) });
  return new Agent({
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
        // The code that the system's lookup uses for every temporary failure.
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
