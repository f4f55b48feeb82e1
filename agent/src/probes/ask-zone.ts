import type { DnsRecordType } from '@watchpost/shared/checks/dns';
import type { EgressPolicy } from '@watchpost/shared/egress';
import type { DnsDetail, DnsRecords, DnsServerAnswer } from '@watchpost/shared/outcome';
import { AtOnce } from '@watchpost/shared/queues/at-once';
import type { DnsServer } from '@watchpost/shared/names/dns-server';
import type { RecordType } from '@watchpost/shared/names/dns-message';
import { recordsOf, valuesOf, type Reply } from '@watchpost/shared/names/dns-reply';
import { decidePropagation } from './decide-records.js';
import type { DnsSession } from './dns-session.js';
import type { DnssecCheck } from './dnssec/dnssec-check.js';

/** Limits beyond any reasonable domain depth and number of name servers. */
const MOST_LEVELS = 10;
const MOST_SERVERS = 32;
/** Levels of a name without an answer, after which its zone is not searched any further. */
const MOST_UNANSWERED = 1;
/** Names of servers that are looked up at the same time: the resolver is that of the agent, or of the monitor. */
const LOOKUPS_AT_ONCE = 4;
/** Response codes for a name without addresses. */
const NO_ADDRESS: readonly string[] = ['NOERROR', 'NXDOMAIN'];

interface ZoneServer {
  name: string;
  ip: string;
}

/** A name server whose name has no address. */
interface UnresolvedServer {
  name: string;
  error: string;
}

/**
 * Queries every authoritative server of the zone directly, over IPv4, and over IPv6 where there is a route.
 * @param types those that the resolver answered
 * @param resolver finds the zone and its servers
 * @returns null where the servers of the zone cannot be found
 */
export async function askZone(
  types: readonly DnsRecordType[],
  hostname: string,
  port: number,
  resolver: DnsServer,
  policy: EgressPolicy,
  session: DnsSession,
  dnssec: DnssecCheck | null,
): Promise<DnsDetail['propagation']> {
  const zone = await findZone(hostname, resolver);
  if (!zone) return null;
  const atOnce = new AtOnce(LOOKUPS_AT_ONCE);
  const names = zone.servers.slice(0, MOST_SERVERS);
  const named = await Promise.all(names.map((name) => atOnce.run(() => addressesOf(name, resolver))));
  const found = named.flat().slice(0, MOST_SERVERS);
  const answers = await Promise.all(
    found.map(async (server) =>
      'error' in server
        ? { server: server.name, serial: null, records: null, error: server.error }
        : askServer(server, zone.apex, types, hostname, port, policy, session, dnssec),
    ),
  );
  const servers = answers.filter((answer) => answer !== null);
  return { ...decidePropagation(servers), servers };
}

/** Finds the closest ancestor of the name that has name servers. */
async function findZone(hostname: string, resolver: DnsServer): Promise<{ apex: string; servers: string[] } | null> {
  const labels = hostname.split('.');
  let unanswered = 0;
  for (let level = 0; level < Math.min(labels.length, MOST_LEVELS); level++) {
    const apex = labels.slice(level).join('.');
    const reply = await resolver.ask({ name: apex, type: 'NS' });
    if (reply.kind !== 'answer') {
      // Some servers are silent about NS records below the apex; waiting at every level takes the time of the check.
      if (++unanswered > MOST_UNANSWERED) return null;
      continue;
    }
    const servers = valuesOf(reply.message, 'NS', apex);
    if (servers.length > 0) return { apex, servers: [...new Set(servers)].sort() };
  }
  return null;
}

async function addressesOf(name: string, resolver: DnsServer): Promise<(ZoneServer | UnresolvedServer)[]> {
  const replies = await Promise.all(
    (['A', 'AAAA'] as const).map(async (type) => ({ type, reply: await resolver.ask({ name, type }) })),
  );
  const found = replies.flatMap(({ type, reply }) =>
    (reply.kind === 'answer' ? recordsOf(reply.message, type) : []).map((ip) => ({ name, ip })),
  );
  if (found.length > 0) return found;
  const isKnown = replies.every(({ reply }) => reply.kind === 'answer' && NO_ADDRESS.includes(reply.message.rcode));
  return [{ name, error: isKnown ? 'its name has no address' : 'its name could not be resolved' }];
}

/** @returns null for a server that this agent has no route to: it is not part of the result */
async function askServer(
  { name, ip }: ZoneServer,
  apex: string,
  types: readonly DnsRecordType[],
  hostname: string,
  port: number,
  policy: EgressPolicy,
  session: DnsSession,
  dnssec: DnssecCheck | null,
): Promise<DnsServerAnswer | null> {
  const answer: DnsServerAnswer = { server: `${name} (${ip})`, serial: null, records: null, error: null };
  if (!policy.allows(ip)) return { ...answer, error: `not asked: ${policy.why(ip)}` };
  const server = session.server({ ip, port, recursive: false });
  const [soa, ...replies] = await Promise.all([
    server.ask({ name: apex, type: 'SOA' }),
    ...types.map((type) => server.ask({ name: hostname, type, isSigned: dnssec !== null })),
  ]);
  if (soa.kind === 'unreachable' && soa.ours) return null;
  const records: DnsRecords = {};
  let forged: string | null = null;
  for (const [index, reply] of replies.entries()) {
    const type = types[index]!;
    if (reply.kind !== 'answer' || faultOf(reply) !== null) continue;
    records[type] = recordsOf(reply.message, type);
    forged ??= (await dnssec?.judge(type, reply.message, { place: answer.server, apex })) ?? null;
  }
  const [zone] = soa.kind === 'answer' ? valuesOf(soa.message, 'SOA') : [];
  const isWithoutRecords = Object.keys(records).length === 0;
  return {
    ...answer,
    serial: serialOf(zone),
    records: isWithoutRecords ? null : records,
    error: errorOf([soa, ...replies], ['SOA', ...types]) ?? (forged === null ? null : `fails DNSSEC: ${forged}`),
  };
}

/** The third word of an SOA record. */
function serialOf(zone: string | undefined): number | null {
  const serial = Number(zone?.split(' ')[2]);
  return Number.isNaN(serial) ? null : serial;
}

/** The first fault of a server, with the types that have it if it has not with others; null without a fault. */
function errorOf(replies: readonly Reply[], types: readonly RecordType[]): string | null {
  const faults = replies.map(faultOf);
  const first = faults.find((fault) => fault !== null) ?? null;
  if (first === null || faults.every((fault) => fault === first)) return first;
  const own = types.filter((_, index) => faults[index] === first);
  return `${first} for ${own.join(', ')} records`;
}

function faultOf(reply: Reply): string | null {
  switch (reply.kind) {
    case 'silent':
      return 'no answer';
    case 'cut':
      return `has a response that does not fit into a packet, and over TCP it ${reply.why}`;
    case 'refused':
      return 'refuses queries: its port is closed';
    case 'unreachable':
      return `cannot be reached (${reply.code})`;
    case 'garbled':
      return 'sends an invalid DNS response';
    case 'answer': {
      const { rcode, isAuthoritative } = reply.message;
      if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return `answers ${rcode}`;
      return isAuthoritative ? null : 'is not authoritative for the zone (lame delegation)';
    }
  }
}
