import { expect } from 'chai';
import type { Region } from '@watchpost/shared/region';
import type { Watched } from './fleet-record.js';
import type { FleetWorld } from './fleet-world.js';

/** How many monitors are created at once. */
const AT_ONCE = 4;
const HOME: Region = 'northeurope';

/**
 * Creates monitors over REST, one for each path of the site, which are checked every minute and alert at the first failure.
 * @param extraOf the regions beside the home region for a path, by its number
 */
export async function watchPages(
  world: FleetWorld,
  count: number,
  extraOf: (index: number) => Region[],
): Promise<Watched[]> {
  const made: Omit<Watched, 'key'>[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) {
      const path = `/page/${index}`;
      const extra = extraOf(index);
      const monitor = {
        url: `http://127.0.0.1:${world.target.port}${path}`,
        checkInterval: 'PT1M',
        numberOfChecksBeforeAlert: 1,
        enabledRegions: extra,
      };
      const { status, body } = await world.api('POST', '/api/v1/monitor', monitor, {
        'idempotency-key': `page-${index}`,
      });
      expect(status, JSON.stringify(body)).to.equal(201);
      made.push({ id: body.id, path, regions: [HOME, ...extra] });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const keys = await world.sql<{ id: string; key: number }>('SELECT id, key::int AS key FROM monitor');
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]));
  return made.map((one) => ({ ...one, key: keyOf.get(one.id)! }));
}

/**
 * Whether every process is ready, every agent is connected with a nearly empty spool, and each check of each region is assigned
 * once. For `eventually`.
 */
export async function isWhole(world: FleetWorld, watched: readonly Watched[]): Promise<true | undefined> {
  const planes = await Promise.all(world.controlPlanes.map((one) => one.health()));
  if (planes.some(({ status }) => status !== 'ok')) return undefined;
  const checks = new Map<Region, number>();
  for (const agent of world.agents) {
    const health = await agent.health();
    if (!health.connected || health.checks === 0 || health.spoolDepth > 50) return undefined;
    checks.set(agent.region, (checks.get(agent.region) ?? 0) + health.checks);
  }
  for (const { regions } of watched) for (const region of regions) checks.set(region, (checks.get(region) ?? 0) - 1);
  return [...checks.values()].every((left) => left === 0) ? true : undefined;
}
