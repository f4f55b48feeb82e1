import { type Entitlements, planWithMore } from '../plans/index.js';

/** What the owner's plan covers of a team. */
export interface TeamCoverage {
  /** Whether the team exceeds the number of teams in the plan. Such a team is kept, but pages nobody. */
  isBeyondLimit: boolean;
  /** Whether rotation and overrides are in force. */
  hasRotations: boolean;
  /** The reason if they are not, as a sentence; null if they are. */
  why: string | null;
}

/** @param team `ownerRank` is its position among the teams of the owner, from 1 */
export function decideTeamCoverage(
  entitlements: Entitlements,
  { name, ownerRank }: { name: string; ownerRank: number },
): TeamCoverage {
  const { plan, limits, features } = entitlements;
  if (limits.teams !== null && ownerRank > limits.teams) {
    const larger = planWithMore(entitlements, 'teams');
    const upgrade = larger ? `change to ${larger}` : 'ask the operator of this service for more';
    const why =
      limits.teams === 0
        ? `The plan ${plan} has no teams, so nobody of ${name} is on call: ${upgrade}.`
        : `The plan ${plan} has at most ${limits.teams === 1 ? '1 team' : `${limits.teams} teams`}, and ${name} is beyond ${limits.teams === 1 ? 'it' : 'them'}: delete another team or ${upgrade}.`;
    return { isBeyondLimit: true, hasRotations: false, why };
  }
  const hasRotations = features.rotations;
  const why = hasRotations ? null : `The plan has no on-call rotations, so nobody of ${name} is on call.`;
  return { isBeyondLimit: false, hasRotations, why };
}
