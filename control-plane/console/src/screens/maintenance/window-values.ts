import type { WindowView } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import { isSame } from '../../data/compare-edits.js';
import { countText, durationMs, durationText } from '../../parts/format.js';

/** What the form of a window holds: the fields of the API that people change. */
export type WindowValues = Pick<WindowView, (typeof FIELDS)[number]>;

const FIELDS = [
  'name',
  'description',
  'startsAt',
  'timezone',
  'duration',
  'recurrence',
  'scope',
  'checks',
  'statusPageIds',
  'notifySubscribers',
] as const;

export function valuesOf(window: WindowView): WindowValues {
  return Object.fromEntries(FIELDS.map((field) => [field, window[field]])) as WindowValues;
}

/** Only what differs is sent, so that what others change meanwhile stays. */
export function changesOf(values: WindowValues, ground: WindowValues): Partial<WindowValues> | undefined {
  const changed = FIELDS.filter((field) => !isSame(values[field], ground[field]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((field) => [field, values[field]]));
}

/** `3 monitors, 1 service group, team:web`. */
export function scopeText({ monitorIds, serviceGroupIds, tags, all }: WindowView['scope']): string {
  if (all) return 'All monitors';
  const counted = [
    [monitorIds.length, 'monitor'],
    [serviceGroupIds.length, 'service group'],
  ] as const;
  const parts = counted.flatMap(([count, name]) => (count > 0 ? [countText(count, name)] : []));
  return [...parts, ...tags].join(', ');
}

/** `2 h, from 02:00 in Europe/Berlin`. */
export function timeText({ startsAt, timezone, duration }: WindowValues): string {
  return `${durationText(durationMs(duration) ?? 0)}, from ${startsAt.slice(11, 16)} in ${timezone}`;
}
