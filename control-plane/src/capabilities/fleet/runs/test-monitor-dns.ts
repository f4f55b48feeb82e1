import { HOME_REGION } from '@watchpost/shared/region';
import { dnsSettings, placeOfUrl } from '../../monitors/index.js';
import { describeDns, type DnsHistoryEntryView } from '../../verdicts/index.js';
import { TEST_TIMEOUT_MS, type MonitorTestDnsInput } from './monitor-test-schemas.js';
import { testMonitorTarget, type MonitorTestDeps } from './test-monitor-target.js';

/**
 * Looks a name up once, from the home region. It reports no changes, because there is no earlier answer to compare with.
 * @throws Fault `unavailable` if no agent can run the check, or its result is inconclusive
 */
export async function testMonitorDns(
  deps: MonitorTestDeps,
  ownerId: string,
  { hostname, recordTypes, resolvers }: MonitorTestDnsInput,
): Promise<DnsHistoryEntryView> {
  const target = {
    kind: 'dns' as const,
    hostname: placeOfUrl(hostname)!.host,
    recordTypes: recordTypes ?? dnsSettings.defaults.recordTypes,
    expectedRecords: [],
    resolvers: resolvers ?? dnsSettings.defaults.resolvers,
    checkPropagation: dnsSettings.defaults.checkPropagation,
    egress: 'monitor' as const,
  };
  const { detail, outcome, startedAtMs } = await testMonitorTarget(deps, ownerId, target, TEST_TIMEOUT_MS);
  return describeDns(detail?.kind === 'dns' ? detail : null, {
    checkedAtMs: startedAtMs,
    region: HOME_REGION,
    failureReason: outcome.kind === 'up' ? null : outcome.message,
    changed: false,
    changes: [],
  });
}
