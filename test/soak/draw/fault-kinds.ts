/** What a fault strikes. */
export type Role =
  | 'agent'
  | 'agentLink'
  | 'plane'
  | 'databaseLink'
  | 'redisLink'
  | 'database'
  | 'redis'
  | 'receiver'
  | 'mail';

/** A kind of fault and for how long it lasts, ms. */
interface KindOfFault {
  role: Role;
  lastsMs: readonly [least: number, most: number];
  /** A number that the fault needs beside its duration, such as the delay of a link in ms. */
  amount?: readonly [least: number, most: number];
  needsStandby?: boolean;
}

export const FAULT_KINDS = {
  'agent killed': { role: 'agent', lastsMs: [1_000, 25_000] },
  'agent paused': { role: 'agent', lastsMs: [3_000, 40_000] },
  'agent rolled out': { role: 'agent', lastsMs: [500, 5_000] },
  'agent with a full disk': { role: 'agent', lastsMs: [5_000, 25_000] },
  'agent with a clock 60 s ahead': { role: 'agent', lastsMs: [5_000, 25_000] },
  'agent cut off': { role: 'agentLink', lastsMs: [2_000, 45_000] },
  'agent delayed': { role: 'agentLink', lastsMs: [5_000, 25_000], amount: [50, 600] },
  'agent half-open': { role: 'agentLink', lastsMs: [3_000, 25_000] },
  'control plane killed': { role: 'plane', lastsMs: [1_000, 20_000] },
  'control plane paused': { role: 'plane', lastsMs: [3_000, 25_000] },
  'control plane rolled out': { role: 'plane', lastsMs: [500, 5_000] },
  'control plane with a clock two hours off': { role: 'plane', lastsMs: [5_000, 25_000] },
  'database connections cut': { role: 'databaseLink', lastsMs: [1_000, 15_000] },
  'database connections delayed': { role: 'databaseLink', lastsMs: [5_000, 20_000], amount: [5, 60] },
  'database connections half-open': { role: 'databaseLink', lastsMs: [3_000, 20_000] },
  'Redis connections cut': { role: 'redisLink', lastsMs: [1_000, 20_000] },
  'Redis connections delayed': { role: 'redisLink', lastsMs: [5_000, 20_000], amount: [20, 400] },
  'Redis connections half-open': { role: 'redisLink', lastsMs: [3_000, 20_000] },
  'database restarted (fast)': { role: 'database', lastsMs: [500, 4_000], needsStandby: true },
  'database restarted (immediate)': { role: 'database', lastsMs: [500, 4_000], needsStandby: true },
  'database killed': { role: 'database', lastsMs: [500, 8_000] },
  'failover from a frozen primary': {
    role: 'database',
    lastsMs: [1_000, 4_000],
    amount: [0, 4_000],
    needsStandby: true,
  },
  'failover from a killed primary': {
    role: 'database',
    lastsMs: [1_000, 4_000],
    amount: [0, 4_000],
    needsStandby: true,
  },
  'Redis killed': { role: 'redis', lastsMs: [1_000, 20_000] },
  'Redis paused': { role: 'redis', lastsMs: [2_000, 20_000] },
  'webhook receiver refusing': { role: 'receiver', lastsMs: [5_000, 40_000] },
  'mail server refusing': { role: 'mail', lastsMs: [5_000, 30_000] },
} as const satisfies Record<string, KindOfFault>;

export type FaultKind = keyof typeof FAULT_KINDS;

export function kindOf(kind: FaultKind): KindOfFault {
  return FAULT_KINDS[kind];
}

/** What a run does not do, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'slow disk':
    'needs a device of its own below the file system (dm-delay); a process cannot slow down its own disk honestly',
  'clock of the database': 'all processes follow it, so that their times and those of the judges would differ',
};
