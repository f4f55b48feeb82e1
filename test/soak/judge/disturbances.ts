import type { Disturbance } from './observation.js';

/** Every process is ready again within this time after the cause of a fault is gone. */
export const RECOVERY_MS = 300_000;

/** The faults that touch a period, where each lasts until `afterMs` after the recovery. */
export function during(
  disturbances: readonly Disturbance[],
  fromMs: number,
  toMs: number,
  afterMs: number,
): Disturbance[] {
  return disturbances.filter((one) => one.fromMs <= toMs && endOf(one) + afterMs >= fromMs);
}

/** When its effects are over, as far as it is known. */
export function endOf({ recoveredMs, mendedMs }: Disturbance): number {
  return recoveredMs ?? mendedMs + RECOVERY_MS;
}

export function isFailover({ kind }: Disturbance): boolean {
  return kind.startsWith('failover');
}

/** Whether the process of an agent, or its connection, was struck. */
export function isOfAgent({ role }: Disturbance): boolean {
  return role === 'agent' || role === 'agentLink';
}

/** Whether control planes, or what they need, were struck. */
export function isOfControl({ role }: Disturbance): boolean {
  return role === 'plane' || role === 'databaseLink' || role === 'database';
}

export function naming(disturbances: readonly Disturbance[]): string {
  return disturbances.map(({ number, kind, subject }) => `#${number} ${kind} (${subject})`).join(', ');
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}
