import { type Entitlements, hasFeature, planWithMore } from '../plans/index.js';

/** What the plan of the owner covers of a team. */
export interface TeamCoverage {
  /** Whether the team is beyond the number of the plan: it is kept, and pages nobody. */
  isBeyondLimit: boolean;
  /** Whether its rotation and its overrides put people on call. */
  hasRotations: boolean;
  /** Why not, as a sentence; null where they do. */
  why: string | null;
}

/** @param team `ownerRank`: its place among the teams of the owner, from 1 */
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
  const hasRotations = hasFeature(features, 'rotations');
  const why = hasRotations ? null : `The plan has no on-call rotations, so nobody of ${name} is on call.`;
  return { isBeyondLimit: false, hasRotations, why };
}
