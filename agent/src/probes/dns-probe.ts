import { domainToASCII } from 'node:url';
import type { DnsRecordType, DnsTarget } from '@watchpost/shared/check';
import type { DnsDetail } from '@watchpost/shared/outcome';
import { askZone } from './ask-zone.js';
import { Deadline } from './deadline.js';
import { decideRecords } from './decide-records.js';
import { isUsable, rcodeOf, recordsOf, type Reply } from '@watchpost/shared/names/dns-reply';
import type { DnsServer } from '@watchpost/shared/names/dns-server';
import { DnsSession } from './dns-session.js';
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
    const [firstType = 'A', ...otherTypes] = target.recordTypes;
    const isOwn = target.resolvers.length === 0;
    // A failure is an answer of the monitor's resolvers; another one of the agent's own can be without it.
    const isFinal = isOwn ? isUsable : isAnswer;
    const { place, server, reply } = await askFirst(places, hostname, firstType, session, isFinal);
    const detail: DnsDetail = {
      kind: 'dns',
      resolver: place.text,
      records: {},
      responseUs: reply.kind === 'answer' ? reply.us : usSince(since),
      propagation: null,
    };
    const replies: Reply[] =
      reply.kind === 'answer'
        ? [reply, ...(await Promise.all(otherTypes.map((type) => server.ask({ name: hostname, type }))))]
        : [reply];
    reach.timings.dnsUs = usSince(since);
    reach.address = place.text;

    const fault = await lookupFault(replies, target, hostname, place, session, isOwn ? context : null);
    if (fault)
      return { ...reachReport(startedAtMs, deadline, reach, fault), ...(reply.kind === 'answer' ? { detail } : {}) };
    replies.forEach((one, index) => {
      const type: DnsRecordType = target.recordTypes[index] ?? firstType;
      if (one.kind === 'answer') detail.records[type] = recordsOf(one.packet, type);
    });
    if (target.checkPropagation)
      detail.propagation = await askZone(
        target,
        hostname,
        context.dnsPort,
        server,
        context.egress[target.egress],
        session,
      );
    // A timeout while servers of the zone are silent is reported for these servers, and is no fault of the name.
    const stopped = session.ended?.isAgentFault ? session.ended : null;
    return {
      ...reachReport(
        startedAtMs,
        deadline,
        reach,
        stopped ?? decideRecords(hostname, detail.records, target.expectedRecords),
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
  reply: Reply;
}

/** The first resolver with a final reply. If there is none: the last one that answers, or else the last one. */
async function askFirst(
  places: readonly ResolverPlace[],
  name: string,
  type: DnsRecordType,
  session: DnsSession,
  isFinal: (reply: Reply) => boolean,
): Promise<Asked> {
  let best: Asked | undefined;
  for (let index = 0; ; index++) {
    const place = places[index]!;
    const server = session.server({ ip: place.ip, port: place.port, recursive: true });
    const reply = await server.ask({ name, type });
    if (!best || isAnswer(reply) || !isAnswer(best.reply)) best = { place, server, reply };
    if (isFinal(reply) || index === places.length - 1 || session.ended) return best;
  }
}

function isAnswer(reply: Reply): boolean {
  return reply.kind === 'answer';
}

async function lookupFault(
  replies: readonly Reply[],
  target: DnsTarget,
  host: string,
  place: ResolverPlace,
  session: DnsSession,
  own: ProbeContext | null,
): Promise<ProbeFault | null> {
  if (session.ended?.isAgentFault) return session.ended;
  const names = { host, resolver: place.text };
  for (const [index, reply] of replies.entries()) {
    const rcode = reply.kind === 'answer' ? rcodeOf(reply.packet) : null;
    if (rcode === 'NOERROR') continue;
    if (rcode === 'NXDOMAIN') return new ProbeFault('name_missing', names);
    if (reply.kind === 'garbled') return new ProbeFault('resolver_garbled', names);
    if (reply.kind === 'unreachable' && reply.ours)
      return new ProbeFault('agent_no_route', { address: place.text, code: reply.code });
    // The agent's own resolver is no part of the target: it must answer another query before the failure counts.
    if (own && !(await own.isResolverAlive())) return new ProbeFault('agent_no_resolver');
    if (reply.kind === 'refused')
      return own ? new ProbeFault('agent_no_resolver') : new ProbeFault('resolver_refusing', names);
    if (reply.kind === 'cut')
      return own ? new ProbeFault('agent_no_resolver') : new ProbeFault('resolver_cut', { ...names, why: reply.why });
    if (reply.kind === 'silent')
      return new ProbeFault('name_silent', { ...names, seconds: session.silentAfterMs / 1_000 });
    const code = reply.kind === 'answer' ? rcode! : reply.code;
    return new ProbeFault('name_failing', {
      ...names,
      code: `${code} for ${target.recordTypes[index] ?? 'A'} records`,
    });
  }
  return null;
}
