import { isIP } from 'node:net';

/** The settings of a stub resolver; see resolv.conf(5). */
export interface ResolvConf {
  /** In the order of queries. */
  servers: readonly { ip: string; port: number }[];
  /** Search domains, without final dots. */
  search: readonly string[];
  /** A name with fewer dots is tried with the search domains first. */
  ndots: number;
  /** The timeout of one server, ms. */
  timeoutMs: number;
  attempts: number;
}

const DNS_PORT = 53;
/** glibc's limits. */
const MOST_SERVERS = 3;
const MOST_NDOTS = 15;
const MOST_TIMEOUT_S = 30;
const MOST_ATTEMPTS = 5;

/**
 * Parses a resolv.conf. Unknown and invalid lines are skipped; without a usable server it is the one on this machine.
 * `[address]:port` is a server on another port, as in OpenBSD.
 * @param hostname of this machine, whose domain is searched if the file has none
 */
export function parseResolvConf(text: string, hostname = ''): ResolvConf {
  const servers: { ip: string; port: number }[] = [];
  const dot = hostname.indexOf('.');
  let search = dot > 0 ? [hostname.slice(dot + 1)] : [];
  const options = { ndots: 1, timeout: 5, attempts: 2 };
  for (const line of text.split(/\r?\n/)) {
    const [keyword, ...values] = line.split(/\s+/);
    if (keyword === 'nameserver') {
      const server = serverOf(values[0] ?? '');
      if (server && servers.length < MOST_SERVERS) servers.push(server);
    } else if (keyword === 'search' || keyword === 'domain')
      search = keyword === 'domain' ? values.slice(0, 1) : values;
    else if (keyword === 'options') readOptions(values, options);
  }
  return {
    servers: servers.length > 0 ? servers : [{ ip: '127.0.0.1', port: DNS_PORT }],
    search: search.map((domain) => domain.replace(/\.$/, '').toLowerCase()).filter((domain) => domain !== ''),
    ndots: Math.min(options.ndots, MOST_NDOTS),
    timeoutMs: Math.min(Math.max(options.timeout, 1), MOST_TIMEOUT_S) * 1_000,
    attempts: Math.min(Math.max(options.attempts, 1), MOST_ATTEMPTS),
  };
}

function serverOf(text: string): { ip: string; port: number } | undefined {
  const [, bracketed, port] = /^\[([^\]]+)\]:(\d{1,5})$/.exec(text) ?? [];
  const ip = bracketed ?? text;
  return isIP(ip) === 0 ? undefined : { ip, port: port === undefined ? DNS_PORT : Number(port) };
}

function readOptions(values: readonly string[], options: Record<'ndots' | 'timeout' | 'attempts', number>): void {
  for (const value of values) {
    const [, name, number] = /^(ndots|timeout|attempts):(\d{1,4})$/.exec(value) ?? [];
    if (name === 'ndots' || name === 'timeout' || name === 'attempts') options[name] = Number(number);
  }
}

/** The names to look up for `host`, in order, without final dots. */
export function candidateNames(host: string, { search, ndots }: Pick<ResolvConf, 'search' | 'ndots'>): string[] {
  if (host.endsWith('.')) return [host.slice(0, -1)];
  const behind = search.map((domain) => `${host}.${domain}`);
  const dots = host.split('.').length - 1;
  return dots >= ndots ? [host, ...behind] : [...behind, host];
}
