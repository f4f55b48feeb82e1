import { ADDRESS_FAMILIES, familyOf, type AddressFamily } from '@watchpost/shared/address-ranges';
import type { ProbeTarget } from '@watchpost/shared/check';
import { MOST_ADDRESSES, type ProbeReport } from '@watchpost/shared/outcome';
import { hostPort, takeTurns } from './connect-address.js';
import { Deadline } from './deadline.js';
import { decideAddresses, type CheckedAddress } from './decide-addresses.js';
import type { Probe, ProbeContext, ProbeSpec } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { placeAt, type Place } from './place.js';
import { preparedRequest } from './prepared-request.js';
import { reachOf, resolvePlace } from './reach-host.js';
import { reachReport } from './reach-report.js';
import { notFound } from './resolve-host.js';

const AT_ONCE = 5;
const TENTH_MS = 100;

/** A target of which each address is checked. */
export type EachTarget = Extract<ProbeTarget, { eachMustWork: boolean }>;

/**
 * Checks each address of a name by itself, as if the name had no other: the probe resolves it to one of them, also after
 * redirects. More than can be checked at once share the timeout.
 */
export async function probeEach<T extends EachTarget>(
  probe: Probe<T>,
  spec: ProbeSpec,
  target: T,
  context: ProbeContext,
  signal: AbortSignal,
): Promise<ProbeReport> {
  const startedAtMs = Date.now();
  const place = placeOf(target, context);
  if (place === null) return probe(spec, target, context, signal);
  const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
  const reach = reachOf(place);
  const fault = await resolvePlace(place, target, context, deadline, reach);
  deadline.dispose();
  if (fault !== null || reach.resolved.length === 0)
    return reachReport(startedAtMs, deadline, reach, fault ?? notFound(place.host));
  // Sorted, because the order of a name server can change with every answer.
  const chosen = takeTurns(reach.resolved.toSorted()).slice(0, MOST_ADDRESSES);
  const leftMs = (deadline.endsAt - performance.now()) / Math.ceil(chosen.length / AT_ONCE);
  const one = { ...spec, timeoutMs: leftMs > 10 * TENTH_MS ? Math.floor(leftMs / TENTH_MS) * TENTH_MS : leftMs };
  const reports: ProbeReport[] = [];
  const rest = chosen.entries();
  const work = async (): Promise<void> => {
    for (const [index, address] of rest)
      reports[index] = await probe(one, target, resolvingTo(context, place.host, address), signal);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const found = chosen.map((address, index): CheckedAddress => ({
    address,
    place: hostPort(address, place.port),
    report: reports[index]!,
  }));
  const { timings, evidence, ...report } = decideAddresses(found, target.eachMustWork);
  const warnings = [...leftOut(found, reach.resolved.length), ...(report.addressWarnings ?? [])];
  return {
    ...report,
    startedAtMs,
    totalUs: report.totalUs + reach.timings.dnsUs,
    timings: { ...timings, dnsUs: timings.dnsUs + reach.timings.dnsUs },
    evidence: evidence && { ...evidence, resolved: [...reach.resolved] },
    ...(warnings.length > 0 ? { addressWarnings: warnings.slice(0, MOST_ADDRESSES) } : {}),
  };
}

/** @returns null for a URL that cannot be checked, about which the probe has a sentence */
function placeOf(target: EachTarget, context: ProbeContext): Place | null {
  if (target.kind !== 'http') {
    return placeAt(target.host, target.port);
  }
  const request = preparedRequest(target, context);
  return request instanceof ProbeFault ? null : request.place;
}

/** The context of a probe for which a name has this address alone. */
function resolvingTo(context: ProbeContext, host: string, address: string): ProbeContext {
  const only = { addresses: [address], us: 0, queuedUs: 0 };
  return {
    ...context,
    resolve: (name, deadline, family) =>
      name === host ? Promise.resolve(only) : context.resolve(name, deadline, family),
  };
}

/** Names what was not checked, in sentences. */
function leftOut(found: readonly CheckedAddress[], resolved: number): string[] {
  const isSeen = ({ report }: CheckedAddress) => report.outcome.kind !== 'inconclusive';
  const families = (Object.keys(ADDRESS_FAMILIES) as AddressFamily[]).filter((family) => {
    const own = found.filter(({ address }) => familyOf(address) === family);
    return own.length > 0 && !own.some(isSeen);
  });
  return [
    ...families.map((family) => `${ADDRESS_FAMILIES[family]} was not checked: the agent has no route to it.`),
    ...(resolved > found.length ? [`${found.length} of ${resolved} addresses were checked.`] : []),
  ];
}
