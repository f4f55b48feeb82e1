import { createEgressPolicy, type EgressPolicy } from '@watchpost/shared/egress';
import type { FaultDetail } from '@watchpost/shared/fault';
import { HOME_REGION } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { type LocationPlace, placesOfWorkspace } from '../../locations/index.js';
import type { MonitorSettings } from '../settings/monitor-settings.js';
import { egressFault, placeOfUrl } from '../settings/monitor-url.js';

type Placed = Pick<MonitorSettings, 'url' | 'homeRegion' | 'enabledRegions' | 'privateLocations'>;

/** Finds what is wrong with where monitors are checked from, and whether each of these places may reach their URLs. */
export function placeFaultsOf(
  tx: Tx,
  workspaceId: string,
  egress: EgressPolicy,
): (placed: Placed) => Promise<FaultDetail[]> {
  let known: Promise<LocationPlace[]> | undefined;
  return async (placed) => {
    const isAnywhere = placed.privateLocations.length > 0;
    const locations = isAnywhere ? await (known ??= placesOfWorkspace(tx, workspaceId)) : [];
    return decidePlaceFaults(placed, locations, egress);
  };
}

/**
 * What contradicts the places of a monitor.
 * @param locations those of its workspace
 * @param egress of the regions
 */
export function decidePlaceFaults(
  { url, homeRegion, enabledRegions, privateLocations }: Placed,
  locations: readonly LocationPlace[],
  egress: EgressPolicy,
): FaultDetail[] {
  const faults: FaultDetail[] = [];
  const own = privateLocations.flatMap((slug) => locations.find((location) => location.slug === slug) ?? []);
  for (const slug of privateLocations)
    if (!own.some((location) => location.slug === slug))
      faults.push({ path: 'privateLocations', message: `must not name ${slug}, which is no private location here` });
  if (!homeRegion && privateLocations.length === 0)
    faults.push({ path: 'homeRegion', message: 'must be true without a private location' });
  const host = url === null ? undefined : placeOfUrl(url)?.host;
  if (host === undefined) return faults;
  const isRegional = homeRegion || enabledRegions.length > 0;
  const refusal = isRegional ? egressFault(host, egress) : null;
  if (refusal) {
    const from = own.length > 0 ? `, and ${homeRegion ? HOME_REGION : enabledRegions[0]} checks it too` : '';
    faults.push({ path: 'url', message: refusal + from });
  }
  for (const { slug, ...ranges } of own) {
    const refused = createEgressPolicy({ ...ranges, isLocation: true }).refusal(host);
    if (refused)
      faults.push({ path: 'url', message: `must lie in the ranges that private:${slug} allows: ${refused}` });
  }
  return faults;
}
