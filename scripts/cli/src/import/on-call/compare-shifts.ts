import { decideShifts, type OnCallPlan } from '@watchpost/control-plane/capabilities/on-call/decide-on-call';
import { decideLayers } from '@watchpost/control-plane/capabilities/on-call/decide-schedule';
import { groupBy } from '@watchpost/shared/group-by';
import { cleanText } from '@watchpost/shared/clean-line';
import type { TakenSchedule } from './convert-on-call.js';
import type { OnCallSource, SourceShift } from './source.js';

interface Range {
  fromMs: number;
  toMs: number;
}

/** A person who is on call for a time. */
interface Turn {
  person: string;
  startMs: number;
  endMs: number;
}

/** @returns one line for each time in which the people on call by a schedule are not those of the product's own final schedule */
export function compareShifts(
  taken: readonly TakenSchedule[],
  shifts: readonly SourceShift[],
  { product, people }: OnCallSource,
  range: Range,
): string[] {
  const addressOf = (id: string) =>
    people.get(id)?.email?.trim().toLowerCase() ?? people.get(id)?.name ?? (id.includes('@') ? id.toLowerCase() : id);
  const shiftsBy = groupBy(shifts, ({ scheduleId }) => scheduleId);
  return taken.flatMap(({ source: { id, name }, schedules }) => {
    const theirs = (shiftsBy.get(id) ?? []).map(({ personId, ...span }): Turn => ({
      person: addressOf(personId),
      ...span,
    }));
    const ours = schedules.flatMap((one) => turnsOf(one, range));
    return differences(theirs, ours, range).map(
      ({ startMs, endMs, their, our }) =>
        `schedule "${cleanText(name, 200)}": ${timeOf(startMs)} to ${timeOf(endMs)}: ${their || 'nobody'} in ${product}, ${our || 'nobody'} here`,
    );
  });
}

function turnsOf({ schedule, overrides }: TakenSchedule['schedules'][number], { fromMs, toMs }: Range): Turn[] {
  const { layers } = decideLayers(
    schedule.layers.map(({ rotation, endDate, restrictions, ...layer }) => ({
      ...layer,
      rotation: { handoffDay: null, ...rotation },
      endDate: endDate ?? null,
      restrictions: restrictions ?? [],
      holidays: 'ignore' as const,
    })) as Parameters<typeof decideLayers>[0],
    schedule.timezone,
    fromMs,
  );
  const plan: OnCallPlan = {
    timezone: schedule.timezone,
    layers,
    holidays: [],
    former: [],
    overrides: overrides
      .map(({ email, start, end }) => ({ userId: email, startMs: Date.parse(start), endMs: Date.parse(end) }))
      .toReversed(),
  };
  return decideShifts(plan, fromMs, toMs).flatMap(({ userId, startMs, endMs }) =>
    userId === null ? [] : [{ person: userId, startMs, endMs }],
  );
}

/** The times in which the people are others, joined where they are the same. */
function differences(
  theirs: readonly Turn[],
  ours: readonly Turn[],
  { fromMs, toMs }: Range,
): { startMs: number; endMs: number; their: string; our: string }[] {
  const edges = [...theirs, ...ours].flatMap(({ startMs, endMs }) => [startMs, endMs]);
  const inside = edges.filter((ms) => ms > fromMs && ms < toMs);
  const sorted = [...new Set([fromMs, ...inside, toMs])].toSorted((a, b) => a - b);
  const [theirsAt, oursAt] = [peopleOf(theirs), peopleOf(ours)];
  const found: { startMs: number; endMs: number; their: string; our: string }[] = [];
  for (const [index, startMs] of sorted.slice(0, -1).entries()) {
    const endMs = sorted[index + 1]!;
    const [their, our] = [theirsAt(startMs), oursAt(startMs)];
    if (their === our) continue;
    const last = found.at(-1);
    if (last && last.endMs === startMs && last.their === their && last.our === our) last.endMs = endMs;
    else found.push({ startMs, endMs, their, our });
  }
  return found;
}

/** Finds who is on call at a moment, asked for one moment after the other. */
function peopleOf(turns: readonly Turn[]): (ms: number) => string {
  const sorted = turns.toSorted((a, b) => a.startMs - b.startMs);
  let [next, running]: [number, Turn[]] = [0, []];
  return (ms) => {
    for (; next < sorted.length && sorted[next]!.startMs <= ms; next++) running.push(sorted[next]!);
    running = running.filter(({ endMs }) => ms < endMs);
    return [...new Set(running.map(({ person }) => person))].toSorted().join(', ');
  };
}

const timeOf = (ms: number) => new Date(ms).toISOString().replace(/:\d\d\.\d{3}Z$/, 'Z');
