import type { FaultDetail } from '@watchpost/shared/fault';
import { factsOf } from '@watchpost/shared/monitor-types';
import { checkedFrom, HOME_REGION, type Region } from '@watchpost/shared/region';
import type { MonitorSettings } from '../settings/monitor-settings.js';

type Checked = Pick<MonitorSettings, 'monitorTypes' | 'enabledRegions' | 'homeRegion'>;

/**
 * The regions in which agents are connected and none of them can run a type that is new there. One agent that can is enough: it
 * gets these checks. Without a connected agent, nobody knows, and the type is accepted.
 * @param kinds what agents run, by region
 * @param before null for a new monitor
 */
export function decideAgentFaults(
  kinds: ReadonlyMap<Region, ReadonlySet<string>>,
  before: Checked | null,
  after: Checked,
): FaultDetail[] {
  return regionsOf(after).flatMap((region) => {
    const runs = kinds.get(region);
    const had = before !== null && regionsOf(before).includes(region) ? before.monitorTypes : [];
    const types = after.monitorTypes.filter((type) => {
      const { kind } = factsOf(type);
      return runs !== undefined && kind !== null && !runs.has(kind) && !had.includes(type);
    });
    if (types.length === 0) return [];
    const needs = types.flatMap((type) => factsOf(type).needs ?? []).map((need) => `. An agent needs ${need}`);
    const message = `cannot have ${types.join(', ')} in ${region}: no agent that is connected there can run it${needs.join('')}. Upgrade an agent of ${region}`;
    return region === HOME_REGION
      ? [{ path: 'monitorTypes', message }]
      : [{ path: 'enabledRegions', message: `${message}, or leave the region out` }];
  });
}

function regionsOf({ homeRegion, enabledRegions }: Checked): Region[] {
  return checkedFrom(homeRegion, enabledRegions, []);
}
