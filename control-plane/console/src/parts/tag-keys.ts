import type { TagCount } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';

const MOST_KEYS = 20;

/** The keys of tags, `team` of `team:web`, those that the most monitors have first. */
export function tagKeys(tags: readonly Pick<TagCount, 'tag' | 'monitorCount'>[]): string[] {
  const counts = new Map<string, number>();
  for (const { tag, monitorCount } of tags) {
    const [key, value] = tag.split(':');
    if (value !== undefined) counts.set(key!, (counts.get(key!) ?? 0) + monitorCount);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_KEYS)
    .map(([key]) => key);
}
