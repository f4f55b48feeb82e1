import type { FaultDetail } from '@watchpost/shared/fault';
import type { BulkInput } from './bulk-schemas.js';
import type { MonitorSettings } from './settings/monitor-settings.js';
import { MAX_TAGS, normalizeTags } from './settings/tags.js';

/** The settings on which bulk changes depend. */
export type BulkSettings = Pick<MonitorSettings, 'monitoringStatus' | 'tags'>;

/**
 * What a bulk change other than a deletion sets in a monitor.
 * @returns undefined where the monitor is so already
 */
export function decideBulkChange(
  { action, tags = [] }: { action: Exclude<BulkInput['action'], 'delete'>; tags?: readonly string[] | undefined },
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
