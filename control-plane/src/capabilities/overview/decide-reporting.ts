import type { CheckKind } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';

/** The kinds of check that incidents of a type are about. */
const KINDS: Readonly<Record<string, readonly CheckKind[]>> = {
  Availability: ['http', 'tcpUdp'],
  Latency: ['http'],
  SslExpiry: ['ssl'],
  Dns: ['dns'],
  Heartbeat: [],
};

/**
 * How many regions report on what an incident is about, and how many of them fail. A region without a fresh result counts for
 * neither: nothing is known from there.
 * @param reporting the regions with fresh results of the monitor
 */
export function decideReporting(
  { incidentType, regions }: { incidentType: string; regions: readonly string[] },
  reporting: readonly { kind: CheckKind; region: Region }[],
): { regionsFailing: number; regionsReporting: number } {
  const kinds = KINDS[incidentType] ?? [];
  const known = new Set<string>(reporting.filter(({ kind }) => kinds.includes(kind)).map(({ region }) => region));
  return { regionsFailing: regions.filter((region) => known.has(region)).length, regionsReporting: known.size };
}
