import { domainToASCII } from 'node:url';
import type { DnsRecordType, DnsTarget } from '@watchpost/shared/checks/dns';
import type { DnsDetail } from '@watchpost/shared/outcome';
import { askZone } from './ask-zone.js';
import { Deadline } from './deadline.js';
import { decideRecords } from './decide-records.js';
import { decisiveTypes, failuresText, isAnswered, readLookup, type Lookup, type TypeReply } from './decide-lookup.js';
import { isUsable, type Reply } from '@watchpost/shared/names/dns-reply';
import type { DnsServer } from '@watchpost/shared/names/dns-server';
import { DnsSession } from './dns-session.js';
import { DnssecCheck } from './dnssec/dnssec-check.js';
import type { Probe, ProbeContext } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { reachOf, usSince } from './reach-host.js';
import { reachReport } from './reach-report.js';
import { resolverPlaces, type ResolverPlace } from './resolver-places.js';

const HOSTNAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

/** Looks a name up at the monitor's resolvers, and at every server of its zone. */
export const probeDns: Probe<DnsTarget> = async (spec, target, context, signal) => {
  const startedAtMs = Date.now();
  const reach = reachOf({ host: target.hostname, port: 0, address: null });
  const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
  let session: DnsSession | null = null;
  try {
    const hostname = domainToASCII(target.hostname.replace(/\.$/, ''));
    // The conversion silently stops where the host of a URL would end.
    if (/[\s/?#\\@:%]/.test(target.hostname) || !HOSTNAME.test(hostname))
      return reachReport(
        startedAtMs,
        deadline,
        reach,
        new ProbeFault('invalid_target', { why: 'its name is not a host name' }),
      );
    const places = await resolverPlaces(target, context, deadline);
    if (places instanceof ProbeFault) return reachReport(startedAtMs, deadline, reach, places);
    if (places.length === 0) return reachReport(startedAtMs, deadline, reach, new ProbeFault('agent_no_resolver'));

    session = new DnsSession(hostname, deadline);
    const since = performance.now();
    const isOwn = target.resolvers.length === 0;
    const { place, server, replies } = await askFirst(places, hostname, target, session, isOwn);
    const lookup = readLookup(hostname, replies);
    const timesUs = replies.flatMap(({ reply }) => (reply.kind === 'answer' ? [reply.us] : []));
    const detail: DnsDetail = {
      kind: 'dns',
      resolver: place.text,
      records: lookup.records,
      ...(Object.keys(lookup.failures).length > 0 ? { failures: lookup.failures } : {}),
      responseUs: timesUs[0] ?? usSince(since),
      propagation: null,
    };
    reach.timings.dnsUs = usSince(since);
    reach.address = place.text;

    const decisive = decisiveTypes(
      lookup,
      target.expectedRecords.map(({ type }) => type),
    );
    const fault =
      session.ended?.isAgentFault === true
        ? session.ended
        : await lookupFault(replies, lookup, decisive, hostname, place, session, isOwn ? context : null);
    if (fault && !isAnswered(lookup))
      return { ...reachReport(startedAtMs, deadline, reach, fault), ...(timesUs.length > 0 ? { detail } : {}) };
    const dnssec =
      target.dnssec === 'off'
        ? null
        : new DnssecCheck(hostname, {
            target,
            chains: context.trustChains,
            resolver: server,
            place: place.text,
            nowMs: context.now(),
          });
    for (const { type, reply } of dnssec ? replies : [])
      if (isUsable(reply) && reply.kind === 'answer') await dnssec?.judge(type, reply.message, null);
    if (target.checkPropagation)
      detail.propagation = await askZone(
        Object.keys(lookup.records) as DnsRecordType[],
        hostname,
        context.dnsPort,
        server,
        context.egress[target.egress],
        session,
        dnssec,
      );
    // A timeout while servers of the zone are silent is reported for these servers, and is no fault of the name.
    const stopped = session.ended?.isAgentFault ? session.ended : null;
    return {
      ...reachReport(
        startedAtMs,
        deadline,
        reach,
        stopped ??
          fault ??
          (session.ended ? null : dnssec?.fault) ??
          decideRecords(hostname, detail.records, target.expectedRecords),
      ),
      detail,
    };
  } finally {
    session?.close();
    deadline.dispose();
  }
};

interface Asked {
  place: ResolverPlace;
  server: DnsServer;
  replies: TypeReply[];
}

/**
 * The first resolver with final replies; without one, that with the most useful ones, and of several the last. A failure is
 * final from a resolver of the monitor; another one of the agent's own can be without it.
 */
async function askFirst(
  places: readonly ResolverPlace[],
  name: string,
  { recordTypes: types, dnssec }: DnsTarget,
  session: DnsSession,
  isOwn: boolean,
): Promise<Asked> {
  let best: (Asked & { usefulness: number }) | undefined;
  for (let index = 0; ; index++) {
    const place = places[index]!;
    const server = session.server({ ip: place.ip, port: place.port, recursive: true });
    const replies = await Promise.all(
      types.map(async (type): Promise<TypeReply> => ({
        type,
        reply: await server.ask({ name, type, isSigned: dnssec !== 'off' }),
      })),
    );
    const usable = replies.filter(({ reply }) => isUsable(reply)).length;
    const answers = replies.filter(({ reply }) => reply.kind === 'answer').length;
    const usefulness = usable * types.length + answers;
    if (!best || usefulness >= best.usefulness) best = { place, server, replies, usefulness };
    const isFinal = isOwn ? usable > 0 && usable === answers : answers > 0;
    if (isFinal || index === places.length - 1 || session.ended) return best;
  }
}

/** @param decisive the types whose failure is that of the check */
async function lookupFault(
  replies: readonly TypeReply[],
  { failures }: Lookup,
  decisive: readonly DnsRecordType[],
  host: string,
  place: ResolverPlace,
  session: DnsSession,
  own: ProbeContext | null,
): Promise<ProbeFault | null> {
  const failing = replies.filter(({ type }) => decisive.includes(type)).map(({ reply }) => reply);
  const [reply] = failing;
  if (!reply) return null;
  const names = { host, resolver: place.text };
  const notSent = failing.find((one) => one.kind === 'unreachable' && one.ours);
  if (notSent?.kind === 'unreachable')
    return new ProbeFault('agent_no_route', { address: place.text, code: notSent.code });
  // The agent's own resolver is no part of the target: it must answer another query before the failure counts.
  const isSilent = !replies.some((one) => isUsable(one.reply));
  if (own && (failing.some(({ kind }) => OF_RESOLVER.has(kind)) || (isSilent && !(await own.isResolverAlive()))))
    return new ProbeFault('agent_no_resolver');
  const isOfAll =
    failing.length === replies.filter(({ type }) => type !== 'CNAME' || failures.CNAME !== undefined).length;
  const isAlike = isOfAll && new Set(Object.values(failures)).size === 1;
  if (isAlike && reply.kind === 'answer' && reply.message.rcode === 'NXDOMAIN')
    return new ProbeFault('name_missing', names);
  if (isAlike && reply.kind === 'garbled') return new ProbeFault('resolver_garbled', names);
  if (isAlike && reply.kind === 'refused') return new ProbeFault('resolver_refusing', names);
  if (isAlike && reply.kind === 'cut') return new ProbeFault('resolver_cut', { ...names, why: reply.why });
  if (isAlike && reply.kind === 'silent')
    return new ProbeFault('name_silent', { ...names, seconds: session.silentAfterMs / 1_000 });
  return new ProbeFault('name_failing', { ...names, code: failuresText(failures, decisive) });
}

/** Failures of the way to a resolver, whatever the name. */
const OF_RESOLVER: ReadonlySet<Reply['kind']> = new Set(['refused', 'cut']);
