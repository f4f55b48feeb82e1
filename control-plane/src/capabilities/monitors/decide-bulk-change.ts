import { isDeepStrictEqual } from 'node:util';
import type { FaultDetail } from '@watchpost/shared/fault';
import type { BulkInput } from './bulk-schemas.js';
import { namedSettings } from './settings/decide-monitor-settings.js';
import type { MatchingMonitor } from './monitor-store.js';
import { MAX_TAGS, normalizeTags } from './settings/tags.js';

/** The settings on which bulk changes depend. */
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
    case 'update': {
      const after = namedSettings(settings) as Partial<BulkSettings>;
      return isDeepStrictEqual({ ...before, ...after }, before) ? undefined : after;
    }
  }
}

/** The monitors that would have too many tags. */
export function decideTagFaults(monitors: readonly { id: string; after: Partial<BulkSettings> }[]): FaultDetail[] {
  return monitors.flatMap(({ id, after }) => {
    const count = after.tags?.length ?? 0;
    if (count <= MAX_TAGS) return [];
    return [{ path: 'tags', message: `would give the monitor ${id} ${count} tags, and it can have ${MAX_TAGS}` }];
  });
}
