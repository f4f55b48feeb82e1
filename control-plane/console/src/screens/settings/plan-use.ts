import type { Product, WorkspaceView } from './views.js';

type Limit = keyof WorkspaceView['limits'];

/** What each limit counts. */
export const LIMIT_WORDS: Readonly<Record<Limit, string>> = {
  monitors: 'Monitors',
  extraRegions: 'Extra regions per monitor',
  emailGroups: 'Email groups',
  slackGroups: 'Slack groups',
  msTeamsGroups: 'Microsoft Teams groups',
  smsGroups: 'SMS groups',
  webhookGroups: 'Webhooks',
  otherGroups: 'Groups of other channels',
  teams: 'Teams',
};

export const LIMITS = Object.keys(LIMIT_WORDS) as Limit[];

/**
 * Which plan has more of what is used up.
 * @returns a sentence; undefined while there is room
 */
export function nextPlanText(
  limit: Limit,
  { limits, usage }: WorkspaceView,
  plans: readonly Product[],
): string | undefined {
  const most = limits[limit];
  if (most === null || usage[limit] < most) return undefined;
  const next = plans.find(({ limits: { [limit]: count } }) => count === null || count > most);
  if (next === undefined) return 'No plan has more. Ask the operator for a higher limit.';
  const count = next.limits[limit];
  const used = most === 0 ? 'Not in this plan' : 'Used up';
  return `${used}: ${next.name} has ${count === null ? 'no limit' : count}.`;
}
