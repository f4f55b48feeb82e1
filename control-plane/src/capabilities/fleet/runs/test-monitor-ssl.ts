import { HOME_REGION } from '@watchpost/shared/region';
import { sslSettings, placeOfUrl } from '../../monitors/index.js';
import { describeSsl, type SslResultView } from '../../verdicts/index.js';
import { TEST_TIMEOUT_MS, type MonitorTestSslInput } from './monitor-test-schemas.js';
import { testMonitorTarget, type MonitorTestDeps } from './test-monitor-target.js';

/**
 * Checks the certificate of an https:// URL once, from the home region, by a monitor's default settings.
 * @throws Fault `unavailable` if no agent can run the check, or its result is inconclusive
 */
export async function testMonitorSsl(
  deps: MonitorTestDeps,
  ownerId: string,
  { url }: MonitorTestSslInput,
): Promise<SslResultView> {
  const { host, port } = placeOfUrl(url)!;
  const { incidentDays } = sslSettings.defaults;
  const target = { kind: 'ssl' as const, host, port: port!, incidentDays, egress: 'monitor' as const };
  const { detail, outcome, startedAtMs } = await testMonitorTarget(deps, ownerId, target, TEST_TIMEOUT_MS);
  return describeSsl(detail?.kind === 'ssl' ? detail : null, {
    checkedAtMs: startedAtMs,
    region: HOME_REGION,
    failureReason: outcome.kind === 'up' ? null : outcome.message,
  });
}
