import { isDeepStrictEqual } from 'node:util';
import type { FaultDetail } from '@watchpost/shared/fault';
import { groupBy } from '@watchpost/shared/group-by';
import type { BulkInput } from './bulk-schemas.js';
import { generalSettings } from './settings/general-settings-schemas.js';
import { namedSettings } from './settings/decide-monitor-settings.js';
import type { MatchingMonitor } from './monitor-store.js';
import { MAX_TAGS, normalizeTags } from './settings/tags.js';

export type BulkSettings = Omit<MatchingMonitor, 'id' | 'key' | 'name'>;

/**
 * What a bulk change other than a deletion sets in a monitor.
 * @returns undefined where the monitor is so already
 */
export function decideBulkChange(
  {
    action,
    tags = [],
    settings = {},
  }: Pick<BulkInput, 'tags' | 'settings'> & { action: Exclude<BulkInput['action'], 'delete'> },
  before: BulkSettings,
): Partial<BulkSettings> | undefined {
  switch (action) {
    case 'pause':
      return before.monitoringStatus === 'enabled' ? { monitoringStatus: 'paused' } : undefined;
    case 'resume':
      return before.monitoringStatus === 'paused' ? { monitoringStatus: 'enabled' } : undefined;
    case 'addTags': {
      const after = normalizeTags([...before.tags, ...tags]);
      return after.length > before.tags.length ? { tags: after } : undefined;
    }
    case 'removeTags': {
      const after = before.tags.filter((tag) => !tags.includes(tag));
      return after.length < before.tags.length ? { tags: after } : undefined;
    }
    // They stay as they are: what names them changes.
    case 'attachActionGroup':
    case 'detachActionGroup':
    case 'addToMaintenance':
    case 'removeFromMaintenance':
      return undefined;
    case 'update': {
      const after = namedSettings(settings) as Partial<BulkSettings>;
      return isDeepStrictEqual({ ...before, ...after }, before) ? undefined : after;
    }
  }
}

/** Lists the settings that a change names as monitors have them, once for all that have the same. */
export function formerSettings(
  named: object,
  monitors: readonly { row: { id: string } & BulkSettings }[],
): { settings: Record<string, unknown>; monitorIds: string[] }[] {
  const alike = groupBy(monitors, ({ row }) => {
    const all = Object.entries(generalSettings.describe({ ...row, name: '', url: null, dependsOn: [] }));
    return JSON.stringify(Object.fromEntries(all.filter(([name]) => name in named)));
  });
  return [...alike].map(([text, those]) => ({
    settings: JSON.parse(text) as Record<string, unknown>,
    monitorIds: those.map(({ row }) => row.id),
  }));
}

/** The monitors that would have too many tags. */
export function decideTagFaults(monitors: readonly { id: string; after: Partial<BulkSettings> }[]): FaultDetail[] {
  return monitors.flatMap(({ id, after }) => {
    const count = after.tags?.length ?? 0;
    if (count <= MAX_TAGS) return [];
    return [{ path: 'tags', message: `would give the monitor ${id} ${count} tags, and it can have ${MAX_TAGS}` }];
  });
}
