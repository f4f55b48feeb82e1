import { checkKindsOfIncident, type CheckKind } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';

/**
 * How many regions report on what an incident is about, and how many of them fail. A region without a fresh result counts for
 * neither: nothing is known from there.
 * @param reporting the regions with fresh results of the monitor
 */
export function decideReporting(
  { incidentType, regions }: { incidentType: string; regions: readonly string[] },
  reporting: readonly { kind: CheckKind; region: Region }[],
): { regionsFailing: number; regionsReporting: number } {
  const kinds = checkKindsOfIncident(incidentType);
  const known = new Set<string>(reporting.filter(({ kind }) => kinds.includes(kind)).map(({ region }) => region));
  return { regionsFailing: regions.filter((region) => known.has(region)).length, regionsReporting: known.size };
}
