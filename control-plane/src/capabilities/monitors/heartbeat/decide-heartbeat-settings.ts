import type { FaultDetail } from '@watchpost/shared/fault';
import { overlay } from '../../../platform/http/define-settings.js';
import { type HeartbeatInput, heartbeatSettings, type HeartbeatSettings } from './heartbeat-settings-schemas.js';

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
  const { every, cron, timezone } = input;
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
      ...overlay(current ?? heartbeatSettings.defaults, heartbeatSettings.named(input)),
      everyMs,
      cron: expression,
      timezone:
        expression === null ? null : (timezone ?? (timezone === null ? null : current?.timezone) ?? workspaceZone),
    },
    faults,
  };
}
