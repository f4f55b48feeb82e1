import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { fetchBounded } from '../../platform/http/fetch-bounded.js';
import { asJson } from './read-rdap.js';

/** The RDAP servers of common top-level domains by the bootstrap registry of IANA, for the time before it is read. */
const SERVERS: Readonly<Record<string, string>> = {
  'https://rdap.verisign.com/com/v1/': 'com',
  'https://rdap.verisign.com/net/v1/': 'net',
  'https://rdap.publicinterestregistry.org/rdap/': 'org',
  'https://pubapi.registry.google/rdap/': 'app dev page how new',
  'https://rdap.identitydigital.services/rdap/': 'info live digital systems email network',
  'https://rdap.nominet.uk/uk/': 'uk',
  'https://rdap.nic.fr/': 'fr',
  'https://rdap.sidn.nl/': 'nl',
  'https://rdap.nic.cz/': 'cz',
  'https://rdap.norid.no/': 'no',
  'https://rdap.registro.br/': 'br',
};

const SHIPPED_SERVERS: ReadonlyMap<string, string> = new Map(
  Object.entries(SERVERS).flatMap(([url, labels]) => labels.split(' ').map((label) => [label, url] as const)),
);

/** The bootstrap registry has 60 KiB. */
export const RDAP_BOUNDS = { accept: 'application/rdap+json, application/json', mostBytes: 512 * 1024 };
/** The registry of IANA is read once a day, and an hour after a failure. */
const REFRESH_MS = DAY_MS;
const RETRY_MS = HOUR_MS;

/** The part of the bootstrap registry that is read (RFC 9224, section 3). */
const registry = z.object({
  services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])).min(1),
});

export interface RdapServersDeps {
  clock: Clock;
  dispatcher: Dispatcher;
  /** Of the bootstrap registry. */
  bootstrapUrl: string;
}

/** The RDAP server of each top-level domain: those that are shipped, and those of the bootstrap registry since it was read. */
export class RdapServers {
  private servers: ReadonlyMap<string, string> = SHIPPED_SERVERS;
  private refreshAtMs = -Infinity;

  constructor(private readonly deps: RdapServersDeps) {}

  /** Reads the registry where it is time to. One that is out of reach, or unreadable, leaves the former servers. */
  async refresh(): Promise<void> {
    const { clock, dispatcher, bootstrapUrl } = this.deps;
    if (clock.now() < this.refreshAtMs) return;
    const answer = await fetchBounded(bootstrapUrl, dispatcher, RDAP_BOUNDS);
    const read = answer.statusCode === 200 ? registry.safeParse(asJson(answer.body)).data : undefined;
    this.refreshAtMs = clock.now() + (read ? REFRESH_MS : RETRY_MS);
    if (!read) return;
    this.servers = new Map(
      read.services.flatMap(([labels, urls]) => {
        const url = urls.find((one) => one.startsWith('https:')) ?? urls[0];
        return url === undefined ? [] : labels.map((label) => [label.toLowerCase(), url] as const);
      }),
    );
  }

  /** The base URL for a domain: that of the longest suffix that has one (RFC 9224, section 4); undefined where none has. */
  find(name: string): string | undefined {
    const labels = name.split('.');
    for (let start = 1; start < labels.length; start++) {
      const url = this.servers.get(labels.slice(start).join('.'));
      if (url !== undefined) return url;
    }
    return undefined;
  }
}
