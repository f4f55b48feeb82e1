import type { Clock } from '@watchpost/shared/clock';
import type { Dispatcher } from 'undici';
import { readRetryAfter } from '../../platform/http/retry-after.js';
import type { RegistryAnswer } from './decide-reading.js';
import { fetchBounded } from './fetch-bounded.js';
import type { RdapServers } from './rdap-servers.js';
import { readRdap } from './read-rdap.js';

export interface RegistryDeps {
  clock: Clock;
  dispatcher: Dispatcher;
  servers: Pick<RdapServers, 'find'>;
}

/** Asks the registry of a domain for it, by RDAP (RFC 9082, section 3.1.3). Never fails: what is no answer is `unreachable`. */
export async function askRegistry({ clock, dispatcher, servers }: RegistryDeps, name: string): Promise<RegistryAnswer> {
  const server = servers.find(name);
  if (server === undefined) return { kind: 'notOffered' };
  const source = `${server.replace(/\/+$/, '')}/domain/${name}`;
  const answer = await fetchBounded(source, dispatcher);
  if (answer?.statusCode === 404) return { kind: 'notFound', source };
  const read = answer?.statusCode === 200 ? readRdap(name, answer.body) : null;
  if (read) return { ...read, source };
  return { kind: 'unreachable', source, retryAfterMs: readRetryAfter(answer?.retryAfter, clock.now()) };
}
