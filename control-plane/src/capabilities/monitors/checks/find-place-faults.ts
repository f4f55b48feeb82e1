import type { EgressPolicy } from '@watchpost/shared/egress';
import type { FaultDetail } from '@watchpost/shared/fault';
import { HOME_REGION } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { type LocationPlace, placesOfWorkspace, rangeFaults } from '../../locations/index.js';
import type { MonitorSettings } from '../settings/monitor-settings.js';
import { type NamedHost, regionalFaults } from '../settings/named-hosts.js';

interface Placed extends Pick<MonitorSettings, 'homeRegion' | 'enabledRegions' | 'privateLocations'> {
  /** Those that are compared with what each place may reach. */
  hosts: readonly NamedHost[];
}

/** Finds what is wrong with where monitors are checked from, and whether each of these places may reach the hosts that they name. */
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
  { hosts, homeRegion, enabledRegions, privateLocations }: Placed,
  locations: readonly LocationPlace[],
  egress: EgressPolicy,
): FaultDetail[] {
  const own = privateLocations.flatMap((slug) => locations.find((location) => location.slug === slug) ?? []);
  const faults: FaultDetail[] = [];
  for (const slug of privateLocations)
    if (!own.some((location) => location.slug === slug))
      faults.push({ path: 'privateLocations', message: `must not name ${slug}, which is no private location here` });
  if (!homeRegion && privateLocations.length === 0)
    faults.push({ path: 'homeRegion', message: 'must be true without a private location' });
  const region = homeRegion ? HOME_REGION : enabledRegions[0];
  const from = own.length > 0 ? `, and ${region} checks it too` : '';
  if (region !== undefined)
    for (const { path, message } of regionalFaults(hosts, egress)) faults.push({ path, message: message + from });
  return [...faults, ...own.flatMap((location) => rangeFaults(location, hosts))];
}
