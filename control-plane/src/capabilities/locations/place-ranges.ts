import { createEgressPolicy } from '@watchpost/shared/egress';
import { type FaultDetail, invalidField, invalidFields } from '@watchpost/shared/fault';
import { HOME_REGION, type Place, type Region, regionOfCode } from '@watchpost/shared/region';
import type { Transactions } from '../../platform/db/database.js';
import { type LocationPlace, placesOfWorkspace } from './place-store.js';

interface NamedHost {
  path: string;
  host: string;
}

/** The hosts that a private location does not allow. */
export function rangeFaults({ slug, ...ranges }: LocationPlace, hosts: readonly NamedHost[]): FaultDetail[] {
  const policy = createEgressPolicy({ ...ranges, isLocation: true });
  return hosts.flatMap(({ path, host }) => {
    const refused = policy.refusal(host);
    return refused ? [{ path, message: `must lie in the ranges that private:${slug} allows: ${refused}` }] : [];
  });
}

/**
 * Finds where a one-off test is run.
 * @throws Fault validation_failed for a private location that the workspace does not have, and for hosts outside its ranges
 */
export async function placeOfTest(
  db: Transactions,
  workspaceId: string,
  { location: slug, hosts }: { location: string | null; hosts: readonly NamedHost[] },
): Promise<{ place: Place; region: Region }> {
  if (slug === null) return { place: HOME_REGION, region: HOME_REGION };
  const found = (await db.read((tx) => placesOfWorkspace(tx, workspaceId))).find((one) => one.slug === slug);
  if (!found) throw invalidField('location', 'must be the slug of a private location of this workspace');
  const faults = rangeFaults(found, hosts);
  if (faults.length > 0) throw invalidFields(faults);
  return { place: found.id, region: regionOfCode(found.code) };
}
