import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { fetchBounded } from './fetch-bounded.js';
import { SHIPPED_SERVERS } from './shipped-servers.js';

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
    const answer = await fetchBounded(bootstrapUrl, dispatcher);
    const read = answer?.statusCode === 200 ? registry.safeParse(asJson(answer.body)).data : undefined;
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

function asJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
