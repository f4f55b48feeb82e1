import { factsOf, MONITOR_TYPES, type MonitorType } from '@watchpost/shared/monitor-types';
import type { PlanName } from '@watchpost/control-plane/capabilities/plans/index';

type Row<Cell> = readonly [starter: Cell, growth: Cell, pro: Cell, enterprise: Cell];

const NAMES: readonly PlanName[] = ['Starter', 'Growth', 'Pro', 'Enterprise'];

/** The plan table of section 8 of the specification, and what is beyond it, independent of the code. Null: unlimited. */
export const LIMIT_ROWS = {
  monitors: [50, 75, 100, 200],
  extraRegions: [0, 2, 5, 7],
  emailGroups: [2, 5, 10, 50],
  slackGroups: [0, 3, 10, 50],
  msTeamsGroups: [0, 3, 10, 50],
  smsGroups: [0, 3, 5, 50],
  webhookGroups: [0, 3, 10, 50],
  otherGroups: [0, 3, 10, 50],
  teams: [1, 3, 10, null],
  privateLocations: [0, 1, 5, 20],
} as const satisfies Record<string, Row<number | null>>;

const SPECIFIED_TYPES = {
  HttpAvailability: [true, true, true, true],
  SslCertificate: [false, true, true, true],
  Latency: [false, true, true, true],
  Dns: [false, false, true, true],
  TcpUdp: [false, false, false, true],
} as const satisfies Partial<Record<MonitorType, Row<boolean>>>;

/** Types beyond the specification belong to the plan that their definition names, and to the greater ones. */
export const TYPE_ROWS: Readonly<Record<MonitorType, Row<boolean>>> = {
  ...(Object.fromEntries(
    MONITOR_TYPES.map((type) => [type, NAMES.map((_, at) => at >= NAMES.indexOf(factsOf(type).plan))]),
  ) as unknown as Record<MonitorType, Row<boolean>>),
  ...SPECIFIED_TYPES,
};

export const FEATURE_ROWS = {
  customTimeout: [false, true, true, true],
  rotations: [false, true, true, true],
  mcpRead: [false, true, true, true],
  mcpWrite: [false, false, true, true],
  banner: [false, true, true, true],
} as const satisfies Record<string, Row<boolean>>;

export const WINDOW_ROWS = {
  '24h': [true, true, true, true],
  '7d': [false, true, true, true],
  '30d': [false, false, true, true],
} as const satisfies Record<string, Row<boolean>>;

export function columnOf<Rows extends Record<string, Row<unknown>>>(
  rows: Rows,
  plan: PlanName,
): { [Key in keyof Rows]: Rows[Key][number] } {
  const at = NAMES.indexOf(plan);
  return Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, row[at]])) as {
    [Key in keyof Rows]: Rows[Key][number];
  };
}

/** The smallest plan for which `fits` is true. */
export function leastPlan(fits: (plan: PlanName) => boolean): PlanName | null {
  return NAMES.find(fits) ?? null;
}

export const PLANS_IN_ORDER = NAMES;
