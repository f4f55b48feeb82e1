import { factsOf, MONITOR_TYPES, type MonitorType } from '@watchpost/shared/monitor-types';
import { LIMIT_KEYS, type LimitKey } from '@watchpost/shared/plan-limits';

export const PLAN_NAMES = ['Starter', 'Growth', 'Pro', 'Enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** The limits of action groups: of a channel of its own, or of all other channels together. */
export type GroupLimitKey = Extract<LimitKey, `${string}Groups`>;
export const GROUP_LIMIT_KEYS = LIMIT_KEYS.filter((key): key is GroupLimitKey => key.endsWith('Groups'));

/** Channels whose limit has another name than they. */
const CHANNEL_LIMITS: Readonly<Record<string, GroupLimitKey>> = { teams: 'msTeamsGroups', voice: 'smsGroups' };

/** The limit that counts the groups of a channel: one of its own, or that of all channels without one together. */
export function channelLimit(channel: string): GroupLimitKey {
  const own = CHANNEL_LIMITS[channel] ?? `${channel}Groups`;
  return GROUP_LIMIT_KEYS.find((key) => key === own) ?? 'otherGroups';
}

/** null means unlimited. */
export type Limits = Record<LimitKey, number | null>;

export type TimelineWindow = '24h' | '7d' | '30d';

export interface Features {
  monitorTypes: readonly MonitorType[];
  customTimeout: boolean;
  rotations: boolean;
  mcpRead: boolean;
  mcpWrite: boolean;
  banner: boolean;
  timelineWindows: readonly TimelineWindow[];
}

/** Per owner and day (UTC), over all workspaces: messages, and KiB of the bodies of pings that are kept. */
export const BUDGET_KINDS = ['mails', 'sms', 'invitations', 'confirmations', 'pingKib'] as const;
export type BudgetKind = (typeof BUDGET_KINDS)[number];
export type Budgets = Readonly<Record<BudgetKind, number>>;

export interface Plan {
  limits: Limits;
  features: Features;
  budgets: Budgets;
}

/** The budgets of an account whose own plan is Starter during the trial of any plan. */
export const TRIAL_BUDGETS: Budgets = { mails: 500, sms: 50, invitations: 20, confirmations: 30, pingKib: 20_480 };

/** The types of this plan and of all smaller ones. */
function typesOf(plan: PlanName): MonitorType[] {
  const names = PLAN_NAMES.slice(0, PLAN_NAMES.indexOf(plan) + 1);
  return MONITOR_TYPES.filter((type) => names.includes(factsOf(type).plan));
}

const EVERY_FEATURE: Features = {
  monitorTypes: MONITOR_TYPES,
  customTimeout: true,
  rotations: true,
  mcpRead: true,
  mcpWrite: true,
  banner: true,
  timelineWindows: ['24h', '7d', '30d'],
};

/** The plan table. Each plan includes at least what the one before it includes. */
export const PLANS: Readonly<Record<PlanName, Plan>> = {
  Starter: {
    limits: {
      monitors: 50,
      extraRegions: 0,
      emailGroups: 2,
      slackGroups: 0,
      msTeamsGroups: 0,
      smsGroups: 0,
      webhookGroups: 0,
      otherGroups: 0,
      teams: 1,
      privateLocations: 0,
    },
    features: {
      monitorTypes: typesOf('Starter'),
      customTimeout: false,
      rotations: false,
      mcpRead: false,
      mcpWrite: false,
      banner: false,
      timelineWindows: ['24h'],
    },
    budgets: { mails: 500, sms: 10, invitations: 20, confirmations: 30, pingKib: 20_480 },
  },
  Growth: {
    limits: {
      monitors: 75,
      extraRegions: 2,
      emailGroups: 5,
      slackGroups: 3,
      msTeamsGroups: 3,
      smsGroups: 3,
      webhookGroups: 3,
      otherGroups: 3,
      teams: 3,
      privateLocations: 1,
    },
    features: { ...EVERY_FEATURE, monitorTypes: typesOf('Growth'), mcpWrite: false, timelineWindows: ['24h', '7d'] },
    budgets: { mails: 2_000, sms: 200, invitations: 100, confirmations: 100, pingKib: 102_400 },
  },
  Pro: {
    limits: {
      monitors: 100,
      extraRegions: 5,
      emailGroups: 10,
      slackGroups: 10,
      msTeamsGroups: 10,
      smsGroups: 5,
      webhookGroups: 10,
      otherGroups: 10,
      teams: 10,
      privateLocations: 5,
    },
    features: { ...EVERY_FEATURE, monitorTypes: typesOf('Pro') },
    budgets: { mails: 5_000, sms: 500, invitations: 200, confirmations: 200, pingKib: 512_000 },
  },
  Enterprise: {
    limits: {
      monitors: 200,
      extraRegions: 7,
      emailGroups: 50,
      slackGroups: 50,
      msTeamsGroups: 50,
      smsGroups: 50,
      webhookGroups: 50,
      otherGroups: 50,
      teams: null,
      privateLocations: 20,
    },
    features: EVERY_FEATURE,
    budgets: { mails: 50_000, sms: 5_000, invitations: 500, confirmations: 500, pingKib: 2_048_000 },
  },
};
