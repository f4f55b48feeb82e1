import { groupBy } from '@watchpost/shared/group-by';
import type { TeamShiftsView } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Person, TeamMember } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import type { Member } from '@watchpost/control-plane/capabilities/workspaces/member-schemas';

/** Whose shifts these are. */
export interface Planned {
  teamId: string;
  teamName: string;
  /** The path in the API; its overrides and its preview are below it. */
  schedulePath: string;
}

/** A shift of a team, as a calendar shows it. */
export interface Shift extends Planned {
  /** Distinguishes shifts of all teams. */
  key: string;
  /** null in a gap. */
  person: Person | null;
  isMine: boolean;
  isOverride: boolean;
  startMs: number;
  endMs: number;
}

const COLOURS = 8;

export function nameOf(person: { name: string | null; email?: string | null } | null | undefined): string {
  return person?.name ?? person?.email ?? 'somebody without a name';
}

export function optionsOf(people: readonly (Person | TeamMember | Member)[]): { value: string; label: string }[] {
  return people.map((person) => ({ value: person.userId, label: nameOf(person) }));
}

/** Machine clients have no address, and can hardly be paged: they come last. */
export function peopleFirst<T extends { email: string | null }>(members: readonly T[]): T[] {
  return members.toSorted((a, b) => Number(a.email === null) - Number(b.email === null));
}

/**
 * The shifts and gaps of a team in the order of time, of all its schedules.
 * @param createdMs when the team was made: before, there are no gaps
 */
export function shiftsOf({ teamId, teamName, shifts, gaps }: TeamShiftsView, createdMs = -Infinity): Shift[] {
  type Time = TeamShiftsView['gaps'][number];
  const shiftOf = (
    { start, end, scheduleId, scheduleName }: Time,
    rest: Pick<Shift, 'person' | 'isMine' | 'isOverride'>,
  ) => {
    const schedulePath = scheduleId ? `/api/v1/teams/${teamId}/schedules/${scheduleId}` : firstScheduleOf(teamId);
    return {
      key: `${schedulePath} ${start}`,
      teamId,
      teamName: scheduleName ? `${teamName}, ${scheduleName}` : teamName,
      schedulePath,
      startMs: Date.parse(start),
      endMs: Date.parse(end),
      ...rest,
    };
  };
  const all: Shift[] = [
    ...shifts.map((shift) =>
      shiftOf(shift, { person: shift.user, isMine: shift.isMine, isOverride: shift.source === 'override' }),
    ),
    ...gaps
      .map((gap) => shiftOf(gap, { person: null, isMine: false, isOverride: false }))
      .filter(({ endMs }) => endMs > createdMs)
      .map((gap) => ({ ...gap, startMs: Math.max(gap.startMs, createdMs) })),
  ];
  return all.sort((a, b) => a.startMs - b.startMs);
}

/** The shifts of each schedule of a team, the first schedule first. */
export function lanesOf(team: TeamShiftsView, createdMs: number) {
  const bySchedule = groupBy(shiftsOf(team, createdMs), ({ schedulePath }) => schedulePath);
  // Ids have the order in which schedules were made.
  const lanes = [...bySchedule].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return lanes.map(([schedulePath, shifts], at) => ({
    schedulePath,
    shifts,
    teamId: team.teamId,
    teamName: shifts[0]!.teamName,
    planRestricted: team.planRestricted,
    isFirst: at === 0,
  }));
}

/** Where the first schedule of a team is read and overridden. */
export function firstScheduleOf(teamId: string): string {
  return `/api/v1/teams/${teamId}/schedule`;
}

/** A number from 1 to 8 for each person: the same whatever part of the calendar is shown. */
export function colourOf(userId: string): number {
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + letter.charCodeAt(0)) % 9_973;
  return (sum % COLOURS) + 1;
}

/** The colour of a person; a gap, where there is none, is red. */
export function colouring(person: { userId: string } | null): Record<string, string> {
  return { '--person': person === null ? 'var(--unavailable-fill)' : `var(--series-${colourOf(person.userId)})` };
}

/** What happens to an incident while nobody of a team is on call. */
export function gapSentence(leads: readonly string[] | undefined, isRestricted: boolean): string {
  if (isRestricted) return 'The plan does not cover the rotation of this team, so it pages nobody.';
  if (leads === undefined) return '';
  if (leads.length === 0) return 'An incident then pages nobody: the team has no lead.';
  return `An incident then pages ${leads.length === 1 ? 'the lead' : 'the leads'} at once: ${leads.join(', ')}.`;
}
