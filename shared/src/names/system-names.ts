import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { domainToASCII } from 'node:url';
import { familyOf, parseV6, plainAddress, type AddressFamily } from '../address-ranges.js';
import { valuesOf, type Reply } from './dns-reply.js';
import { addressesIn, parseHosts } from './hosts-file.js';
import { NameServers } from './name-servers.js';
import { orderAddresses } from './order-addresses.js';
import { candidateNames, parseResolvConf, type ResolvConf } from './resolv-conf.js';
import { WatchedFile } from './watched-file.js';

/**
 * Looks up the addresses of a name like `dns.lookup`, of one family or of both; an error has Node's code: `ENOTFOUND`,
 * `ESERVFAIL`, `ETIMEOUT`.
 */
export type Lookup = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly string[]) => void,
  family?: AddressFamily,
) => void;

export interface SystemNamesOptions {
  /** Default: /etc/resolv.conf. */
  resolvConf?: string | undefined;
  /** Default: /etc/hosts. */
  hosts?: string | undefined;
}

type Found = { kind: 'addresses'; addresses: string[] } | { kind: 'missing' } | { kind: 'failed'; code: string };

/** The limit of simultaneous lookups; more would only wait in the kernel's buffers. */
const MOST_OPEN = 5_000;
/** RFC 8305 §3 does not wait long for the addresses of the other family; a check can wait longer than a visitor. */
const OTHER_FAMILY_MS = 1_000;
const OWN_ADDRESSES_MS = 5_000;
/** How long the name of an address is awaited. */
const NAME_MS = 2_000;
const MOST_NAME = 253;
const MOST_LABEL = 63;
/** The letters of host names (RFC 952), and the underscore that many networks use. */
const PLAIN_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,20}$/;

/**
 * Name resolution of this machine: the hosts file first, then the servers and the search list of resolv.conf. It replaces
 * `getaddrinfo`, which occupies one of libuv's few threads while a name server is silent, so that one tenant's names
 * block the lookups of all. It has no cache: that is the resolver's task.
 */
export class SystemNames {
  readonly #conf: WatchedFile<{ conf: ResolvConf; servers: NameServers }>;
  readonly #hosts;
  #current: NameServers | undefined;
  #own: { at: number; addresses: string[] } = { at: -Infinity, addresses: [] };
  #open = 0;

  constructor(options: SystemNamesOptions = {}) {
    this.#hosts = new WatchedFile(options.hosts ?? '/etc/hosts', parseHosts);
    this.#conf = new WatchedFile(options.resolvConf ?? '/etc/resolv.conf', (text) => {
      const conf = parseResolvConf(text, hostname());
      this.#current?.retire();
      this.#current = new NameServers(conf);
      return { conf, servers: this.#current };
    });
  }

  get servers(): ResolvConf['servers'] {
    return this.#conf.get().conf.servers;
  }

  /** Whether any of the servers answers at all. */
  isAlive(withinMs: number): Promise<boolean> {
    return this.#conf.get().servers.isAlive(withinMs);
  }

  /** The name of an address; null where it has none, or no server answers. The owner of the address chooses it: it is data from outside. */
  async nameOf(address: string): Promise<string | null> {
    if (this.#open >= MOST_OPEN) return null;
    this.#open++;
    try {
      const reply = await Promise.race([
        this.#conf.get().servers.ask({ name: reverseName(address), type: 'PTR' }),
        sleep(NAME_MS, null, { ref: false }),
      ]);
      const name = reply?.kind === 'answer' ? valuesOf(reply.message, 'PTR')[0] : undefined;
      return name !== undefined && PLAIN_NAME.test(name) ? name : null;
    } finally {
      this.#open--;
    }
  }

  readonly lookup: Lookup = (host, onFound, family) => {
    void this.#find(host, family).then((found) => {
      if (found.kind === 'addresses') onFound(null, orderAddresses(found.addresses, this.#ownAddresses()));
      else onFound(lookupError(host, found.kind === 'missing' ? 'ENOTFOUND' : found.code), []);
    });
  };

  async #find(host: string, family?: AddressFamily): Promise<Found> {
    if (isIP(host) !== 0) return { kind: 'addresses', addresses: [host] };
    const written = addressesIn(this.#hosts.get(), host)?.filter((one) => isOfFamily(one, family)) ?? [];
    if (written.length > 0) return { kind: 'addresses', addresses: written };
    const name = domainToASCII(host);
    if (!isName(name)) return { kind: 'missing' };
    if (this.#open >= MOST_OPEN) return { kind: 'failed', code: 'EAGAIN' };
    const { conf, servers } = this.#conf.get();
    this.#open++;
    try {
      for (const candidate of candidateNames(name, conf).filter(isName)) {
        const found = await askForAddresses(servers, candidate, family);
        if (found.kind !== 'missing') return found;
      }
      return { kind: 'missing' };
    } finally {
      this.#open--;
    }
  }

  #ownAddresses(): string[] {
    const now = performance.now();
    if (now > this.#own.at + OWN_ADDRESSES_MS) {
      const addresses = Object.values(networkInterfaces()).flatMap((of) => of?.map(({ address }) => address) ?? []);
      this.#own = { at: now, addresses };
    }
    return this.#own.addresses;
  }
}

const RECORD_TYPES = { ipv4: 'A', ipv6: 'AAAA' } as const;

/** Looks up one address family, or both at once: then the first reply waits a limited time for the other. */
function askForAddresses(servers: NameServers, name: string, family?: AddressFamily): Promise<Found> {
  return new Promise((resolve) => {
    const types = family === undefined ? Object.values(RECORD_TYPES) : [RECORD_TYPES[family]];
    const replies: Found[] = [];
    let late: NodeJS.Timeout | undefined;
    const settle = (): void => {
      clearTimeout(late);
      const found = replies.flatMap((one) => (one.kind === 'addresses' ? one.addresses.map(plainAddress) : []));
      const addresses = [...new Set(found)].filter((one) => isOfFamily(one, family));
      if (addresses.length > 0) resolve({ kind: 'addresses', addresses });
      else resolve(replies.find(({ kind }) => kind === 'failed') ?? { kind: 'missing' });
    };
    for (const type of types) {
      void servers.ask({ name, type }).then((reply) => {
        const found = foundIn(reply, type);
        replies.push(found);
        if (replies.length === types.length) settle();
        else if (found.kind === 'addresses') late = setTimeout(settle, OTHER_FAMILY_MS);
      });
    }
  });
}

function foundIn(reply: Reply, type: 'A' | 'AAAA'): Found {
  switch (reply.kind) {
    case 'answer': {
      const { rcode } = reply.message;
      if (rcode === 'NXDOMAIN') return { kind: 'missing' };
      if (rcode !== 'NOERROR') return { kind: 'failed', code: `E${rcode}` };
      // The order of the server can be its load balancing.
      const addresses = valuesOf(reply.message, type);
      return addresses.length > 0 ? { kind: 'addresses', addresses } : { kind: 'missing' };
    }
    case 'silent':
      return { kind: 'failed', code: 'ETIMEOUT' };
    case 'refused':
      return { kind: 'failed', code: 'ECONNREFUSED' };
    case 'unreachable':
      return { kind: 'failed', code: reply.code };
    case 'garbled':
    case 'cut':
      return { kind: 'failed', code: 'EBADRESP' };
  }
}

/** The name under which the name of an address is looked up (RFC 1035, section 3.5; RFC 3596, section 2.5). */
function reverseName(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
  const digits = parseV6(address)!.map((part) => part.toString(16).padStart(4, '0'));
  return `${digits.join('').split('').toReversed().join('.')}.ip6.arpa`;
}

function isOfFamily(address: string, family: AddressFamily | undefined): boolean {
  return family === undefined || familyOf(address) === family;
}

function isName(name: string): boolean {
  const labels = name.replace(/\.$/, '').split('.');
  return name.length <= MOST_NAME && labels.every((label) => label.length > 0 && label.length <= MOST_LABEL);
}

function lookupError(host: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code} ${host}`), { code, syscall: 'lookup', hostname: host });
}
