import type { TeamShiftsView } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Person, TeamMember } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import type { Member } from '@watchpost/control-plane/capabilities/workspaces/member-schemas';

/** A shift of a team, as a calendar shows it. */
export interface Shift {
  /** Distinguishes shifts of all teams. */
  key: string;
  teamId: string;
  teamName: string;
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
 * The shifts and gaps of a team in the order of time.
 * @param createdMs when the team was made: before, there are no gaps
 */
export function shiftsOf({ teamId, teamName, shifts, gaps }: TeamShiftsView, createdMs = -Infinity): Shift[] {
  const shiftOf = (start: string, end: string, person: Person | null, isMine = false, isOverride = false): Shift => ({
    key: `${teamId} ${start}`,
    teamId,
    teamName,
    person,
    isMine,
    isOverride,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
  });
  const all = [
    ...shifts.map(({ start, end, user, isMine, source }) => shiftOf(start, end, user, isMine, source === 'override')),
    ...gaps
      .map(({ start, end }) => shiftOf(start, end, null))
      .filter(({ endMs }) => endMs > createdMs)
      .map((gap) => ({ ...gap, startMs: Math.max(gap.startMs, createdMs) })),
  ];
  return all.sort((a, b) => a.startMs - b.startMs);
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
