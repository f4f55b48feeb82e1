/** The things that each limit of a plan counts: for all workspaces of an owner together, and `extraRegions` for each monitor. */
export const LIMIT_NOUNS = {
  monitors: 'monitors',
  extraRegions: 'extra regions per monitor',
  emailGroups: 'email groups',
  slackGroups: 'Slack groups',
  msTeamsGroups: 'Microsoft Teams groups',
  smsGroups: 'SMS groups',
  webhookGroups: 'webhook groups',
  otherGroups: 'groups of other channels',
  teams: 'teams',
  privateLocations: 'private locations',
} as const;

export type LimitKey = keyof typeof LIMIT_NOUNS;
export const LIMIT_KEYS = Object.keys(LIMIT_NOUNS) as LimitKey[];
