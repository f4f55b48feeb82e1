import type { FaultDetail } from '@watchpost/shared/fault';
import { DEFAULT_GRACE_MS, type HeartbeatInput, type HeartbeatSettings } from './heartbeat-settings-schemas.js';

/**
 * The settings of a heartbeat after a change: named fields replace the former values, and naming `every` or `cron` replaces the
 * other one.
 * @param workspaceZone the time zone of a `cron` without one
 */
export function decideHeartbeatSettings(
  current: HeartbeatSettings | null,
  input: HeartbeatInput,
  workspaceZone: string,
): { settings: HeartbeatSettings; faults: FaultDetail[] } {
  const { every, cron, timezone, grace, maxRuntime } = input;
  const faults: FaultDetail[] = [];
  const named = [every, cron].filter((rhythm) => rhythm !== undefined && rhythm !== null).length;
  const everyMs = every !== undefined ? every : named > 0 ? null : (current?.everyMs ?? null);
  const expression = cron !== undefined ? cron : named > 0 ? null : (current?.cron ?? null);
  if ((everyMs === null) === (expression === null)) {
    const message = everyMs === null ? 'must have `every` or `cron`' : 'must have only one of `every` and `cron`';
    faults.push({ path: 'heartbeat', message });
  }
  if (expression === null && timezone !== undefined && timezone !== null)
    faults.push({ path: 'heartbeat.timezone', message: 'must be left out without `cron`' });
  return {
    settings: {
      everyMs,
      cron: expression,
      timezone:
        expression === null ? null : (timezone ?? (timezone === null ? null : current?.timezone) ?? workspaceZone),
      graceMs: grace ?? current?.graceMs ?? DEFAULT_GRACE_MS,
      maxRuntimeMs: maxRuntime === undefined ? (current?.maxRuntimeMs ?? null) : maxRuntime,
    },
    faults,
  };
}
