import type { ReadinessView, TeamSchedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Person, Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import type { ActionGroupView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { Member } from '@watchpost/control-plane/capabilities/workspaces/member-schemas';
import { WHOLE } from '../../data/address.js';
import { useResource } from '../../data/resources.js';
import { hasRole, workspaceId } from '../../data/session.js';
import { nameOf, peopleFirst } from './people.js';
import { keyOfTarget, type Target } from './policy-values.js';

/** Somebody, or something, that a step pages. */
export interface Paged {
  name: string;
  /** undefined where it is not known. */
  reachableBy?: readonly string[];
  person: Person | null;
}

/** Everything that a step can page, in words. */
export function useTargets(team: Team) {
  const { data: plans } = useResource<TeamSchedule[]>(`/api/v1/teams/${team.id}/schedules`);
  const { data: channels } = useResource<ActionGroupView[]>('/api/v1/action-groups', WHOLE);
  const [schedules, groups] = [plans ?? [], channels ?? []];
  const members = useResource<Member[]>(
    hasRole('Admin') ? `/api/v1/workspaces/${workspaceId.value}/members` : null,
    WHOLE,
  ).data;
  const isRead = plans !== undefined && channels !== undefined && (members !== undefined || !hasRole('Admin'));
  /** Nothing is gone before it is known what there is. */
  const gone = (words: string) => (isRead ? words : '…');
  const people: readonly Person[] = peopleFirst<Person>(
    members?.filter(({ status }) => status === 'active') ?? team.members,
  );
  const personOf = (userId: string) => [...people, ...team.members].find((one) => one.userId === userId);
  const wordsOf = (target: Target): string => {
    switch (target.type) {
      case 'leads':
        return `The leads of ${team.name}`;
      case 'team':
        return `All of ${team.name}`;
      case 'user':
        return personOf(target.id) ? nameOf(personOf(target.id)) : gone(nameOf(undefined));
      case 'actionGroup':
        return groups.find(({ id }) => id === target.id)?.name ?? gone('a channel that is gone');
      case 'onCall': {
        const own = schedules.find(({ id }) => id === target.scheduleId);
        if (target.scheduleId === undefined) return 'The person on call';
        return `The person on call by ${own?.name ?? gone('a schedule that is gone')}`;
      }
    }
  };
  const all: Target[] = [
    { type: 'onCall' },
    ...(schedules.length > 1 ? schedules.map(({ id }): Target => ({ type: 'onCall', scheduleId: id })) : []),
    { type: 'leads' },
    { type: 'team' },
    ...people.map(({ userId }): Target => ({ type: 'user', id: userId })),
    ...groups.map(({ id }): Target => ({ type: 'actionGroup', id })),
  ];
  const options = all.map((target) => ({ value: keyOfTarget(target), label: wordsOf(target) }));
  return { options, wordsOf, personOf, schedules, isRead };
}

/** The coming shifts of schedules by id, with how the person on each is reached. */
export type Duties = ReadonlyMap<string, readonly ReadinessView[] | undefined>;

/** @returns whom a target means at a moment; undefined until it is known, and empty where it is nobody */
export function pagedAt(
  target: Target,
  atMs: number,
  of: { team: Team; targets: ReturnType<typeof useTargets>; duties: Duties },
): Paged[] | undefined {
  const { team, targets, duties } = of;
  const named = (person: Person): Paged => ({ name: nameOf(person), person });
  if (target.type === 'actionGroup') return [{ name: targets.wordsOf(target), person: null }];
  if (target.type === 'team') return team.members.map(named);
  if (target.type === 'leads') return team.members.filter(({ teamRole }) => teamRole === 'lead').map(named);
  if (!targets.isRead) return undefined;
  if (target.type === 'user') {
    const person = targets.personOf(target.id);
    return person ? [named(person)] : [];
  }
  const scheduleId = target.scheduleId ?? targets.schedules[0]?.id;
  if (scheduleId === undefined) return [];
  const shifts = duties.get(scheduleId);
  const shift = shifts?.find(({ start, end }) => Date.parse(start) <= atMs && atMs < Date.parse(end));
  if (shifts === undefined) return undefined;
  return shift?.user ? [{ ...named(shift.user), reachableBy: shift.reachableBy }] : [];
}
