import type { FaultDetail } from '@watchpost/shared/fault';
import {
  latestStartDate,
  type RotationKind,
  type Layer,
  type Layers,
  type Weekday,
  weekdayOf,
} from './decide-rotation.js';
import type { LayerInput, ScheduleInput } from './schedule-schemas.js';

/** The first layer of a schedule, as `/schedule` shows it. */
export interface SimpleRotation {
  /** null for a layer whose shifts are neither days nor weeks. */
  rotation: RotationKind | null;
  timezone: string;
  handoffTime: string;
  handoffDay: Weekday | null;
  startDate: string;
  /** One round, in order; null is the turn of a person who has left. */
  turns: readonly (string | null)[];
}

type Decided = { layers: Layers; faults: null } | { layers: null; faults: FaultDetail[] };

/** @returns null where a schedule has no layers */
export function simpleRotationOf({ timezone, layers: [first] }: Layers): SimpleRotation | null {
  if (!first) return null;
  const { unit, every, handoffTime, handoffDay } = first.rotation;
  const rotation = every !== 1 || unit === 'hour' ? null : unit === 'day' ? 'daily' : 'weekly';
  return { rotation, timezone, handoffTime, handoffDay, startDate: first.startDate, turns: first.turns };
}

/** Whether a simple rotation is all of a schedule. */
export function isSimple(schedule: Layers): boolean {
  const [first] = schedule.layers;
  return (
    schedule.layers.length === 1 &&
    simpleRotationOf(schedule)!.rotation !== null &&
    first!.restrictions.length === 0 &&
    first!.endDate === null &&
    first!.holidays === 'ignore'
  );
}

/**
 * The layers of a schedule after a change of its first one: named fields replace the former values, the others stay, or get
 * their defaults in a new schedule.
 */
export function decideSchedule(before: Layers | null, input: ScheduleInput, nowMs: number): Decided {
  const faults: FaultDetail[] = [];
  const former = before && simpleRotationOf(before);
  const rotation = input.rotation ?? former?.rotation;
  const turns = input.participants ?? former?.turns;
  const first = former ? 'must be there: the shifts are neither days nor weeks' : 'must be there the first time';
  if (!rotation) faults.push({ path: 'rotation', message: first });
  if (!turns) faults.push({ path: 'participants', message: 'must be there the first time' });
  if (rotation === 'daily' && input.handoffDay !== undefined && input.handoffDay !== null) {
    faults.push({ path: 'handoffDay', message: 'must not be there: a daily rotation has none' });
  }
  faults.push(...repeatsIn(input.participants ?? [], 'participants'));
  if (!rotation || !turns || faults.length > 0) return { layers: null, faults };
  const timezone = input.timezone ?? former?.timezone ?? 'UTC';
  const handoffTime = input.handoffTime ?? former?.handoffTime ?? '09:00';
  const startDate = input.startDate ?? former?.startDate ?? latestStartDate(handoffTime, timezone, nowMs);
  // null resets a field to its default.
  const kept = input.handoffDay === null ? null : (input.handoffDay ?? former?.handoffDay ?? null);
  const handoffDay = rotation === 'weekly' ? (kept ?? weekdayOf(startDate)) : null;
  const layer: Layer = {
    name: 'Rotation',
    endDate: null,
    restrictions: [],
    holidays: 'ignore',
    ...before?.layers[0],
    rotation: { unit: rotation === 'daily' ? 'day' : 'week', every: 1, handoffTime, handoffDay },
    startDate,
    turns,
  };
  if (layer.endDate !== null && layer.endDate <= startDate)
    return {
      layers: null,
      faults: [{ path: 'startDate', message: `must be before the layer ends, on ${layer.endDate}` }],
    };
  const layers = [layer, ...(before?.layers.slice(1) ?? [])];
  return { layers: { timezone, layers, holidays: before?.holidays ?? [] }, faults: null };
}

/** Layers as they are given. @returns all faults, with paths from `layers` */
export function decideLayers(
  input: readonly LayerInput[],
  timezone: string,
  nowMs: number,
): { layers: Layer[]; faults: FaultDetail[] } {
  const faults: FaultDetail[] = [];
  const layers = input.map(({ participants, rotation, startDate: given, ...layer }, index): Layer => {
    const path = `layers.${index}`;
    const startDate = given ?? latestStartDate(rotation.handoffTime, timezone, nowMs);
    if (rotation.unit !== 'week' && rotation.handoffDay !== null)
      faults.push({ path: `${path}.rotation.handoffDay`, message: 'must not be there: only weeks have one' });
    if (layer.endDate !== null && layer.endDate <= startDate)
      faults.push({ path: `${path}.endDate`, message: `must be after the start, on ${startDate}` });
    faults.push(...repeatsIn(participants, `${path}.participants`));
    const handoffDay = rotation.unit === 'week' ? (rotation.handoffDay ?? weekdayOf(startDate)) : null;
    return { ...layer, rotation: { ...rotation, handoffDay }, startDate, turns: participants };
  });
  return { layers, faults };
}

function repeatsIn(userIds: readonly string[], path: string): FaultDetail[] {
  return userIds.flatMap((userId, index) =>
    userIds.indexOf(userId) < index ? [{ path: `${path}.${index}`, message: 'is there already' }] : [],
  );
}
