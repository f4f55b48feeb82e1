import type { Region } from '@watchpost/shared/region';
import { createMonitors } from '../seed.js';
import type { Watched } from './fleet-record.js';
import type { FleetWorld } from './fleet-world.js';

const HOME: Region = 'northeurope';

/**
 * Creates monitors, one for each path of the site, which are checked every minute and alert at the first failure.
 * @param extraOf the regions beside the home region for a path, by its number
 */
export async function watchPages(
  world: FleetWorld,
  count: number,
  extraOf: (index: number) => Region[],
): Promise<Watched[]> {
  const pages = Array.from({ length: count }, (_, index) => ({ path: `/page/${index}`, extra: extraOf(index) }));
  const ids = await createMonitors(
    world.api,
    pages.map(({ path, extra }) => ({
      url: `http://127.0.0.1:${world.target.port}${path}`,
      checkInterval: 'PT1M',
      numberOfChecksBeforeAlert: 1,
      enabledRegions: extra,
    })),
  );
  const keys = await world.sql<{ id: string; key: number }>('SELECT id, key::int AS key FROM monitor');
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]));
  return pages.map(({ path, extra }, index) => {
    const id = ids[index]!;
    return { id, path, regions: [HOME, ...extra], key: keyOf.get(id)! };
  });
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
