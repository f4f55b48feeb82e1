import { formatDuration } from '@watchpost/shared/duration';
import { DAY_MS } from '@watchpost/shared/time';
import { nameFor } from '../names.js';
import type { Fields } from '../rows.js';
import type { SourcePolicy, SourceTarget } from './source.js';

const MOST_POLICIES = 10;
const MOST_STEPS = 10;
const MOST_TARGETS = 10;
const MOST_REPEAT = 9;

/** The names to which targets refer in the document. */
export interface TargetPlaces {
  teamId: string;
  emailOf(personId: string): string | undefined;
  /** The places of the schedules of this team that one of the product became, from 1; undefined where it is none of them. */
  placesOf(scheduleId: string): readonly number[] | undefined;
  groupKeyOf(groupId: string): string | undefined;
  membersOf(teamId: string): readonly string[];
}

/** @returns the policy of a team, undefined where nothing is left of it, and what is different */
export function convertPolicy(
  { name, steps, repeat: rounds, differences: known }: SourcePolicy,
  places: TargetPlaces,
): { policy: Fields | undefined; differences: string[] } {
  const differences = [...known];
  const repeat = Math.floor(rounds);
  let waitedMs = 0;
  const converted = steps.flatMap(({ afterMs, targets }) => {
    const found = targets.flatMap((target) => targetsFor(target, places, differences));
    const once = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
    if (once.length > MOST_TARGETS) differences.push(`has only the first ${MOST_TARGETS} targets of a step`);
    waitedMs += afterMs;
    if (once.length === 0) return [];
    if (waitedMs > DAY_MS) differences.push('waits at most a day for a step');
    const after = formatDuration(Math.min(waitedMs, DAY_MS));
    waitedMs = 0;
    return [{ after, targets: once.slice(0, MOST_TARGETS) }];
  });
  if (converted.length > MOST_STEPS) differences.push(`has only its first ${MOST_STEPS} steps`);
  if (repeat > MOST_REPEAT) differences.push(`is repeated ${MOST_REPEAT} times`);
  return {
    policy:
      converted.length === 0
        ? undefined
        : {
            name: nameFor(name, 'Escalation'),
            steps: converted.slice(0, MOST_STEPS),
            ...(repeat > 0 ? { repeat: Math.min(repeat, MOST_REPEAT) } : {}),
          },
    differences: [...new Set(differences)],
  };
}

/** At most ten policies of a team, those that count by themselves first. */
export function orderPolicies(policies: readonly SourcePolicy[]): { kept: SourcePolicy[]; left: SourcePolicy[] } {
  const sorted = policies.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
  return { kept: sorted.slice(0, MOST_POLICIES), left: sorted.slice(MOST_POLICIES) };
}

function targetsFor(target: SourceTarget, places: TargetPlaces, differences: string[]): Fields[] {
  const lost = (what: string): Fields[] => {
    differences.push(`is without ${what}`);
    return [];
  };
  switch (target.type) {
    case 'onCall':
      return (
        places.placesOf(target.scheduleId)?.map((schedule) => ({ type: 'onCall', schedule })) ??
        lost('a schedule that is not one of its team')
      );
    case 'user': {
      const email = places.emailOf(target.personId);
      return email === undefined ? lost('a person who is not taken over') : [{ type: 'user', email }];
    }
    case 'actionGroup': {
      const key = places.groupKeyOf(target.groupId);
      return key === undefined ? lost('a webhook that is not taken over') : [{ type: 'actionGroup', actionGroup: key }];
    }
    default: {
      if (target.teamId === places.teamId) return [{ type: target.type }];
      const emails = places.membersOf(target.teamId);
      if (emails.length === 0) return lost('a team that is not taken over');
      differences.push('names the members of another team one by one');
      return emails.map((email) => ({ type: 'user', email }));
    }
  }
}
