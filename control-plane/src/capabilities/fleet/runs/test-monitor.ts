import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { describeStep, phasesOf } from '@watchpost/shared/steps/step-results';
import type { OneOffCheck } from '../../monitors/index.js';
import { describeDns, describeSsl, type DnsHistoryEntryView, type SslResultView } from '../../verdicts/index.js';
import type { MonitorTestView } from './monitor-test-schemas.js';
import { testMonitorTarget, type MonitorTestDeps, type TestingWorkspace } from './test-monitor-target.js';

/** Tests a URL once. @throws Fault as `testMonitorTarget` */
export async function testMonitor(
  deps: MonitorTestDeps,
  workspace: TestingWorkspace,
  check: OneOffCheck,
): Promise<MonitorTestView> {
  return describe(await testMonitorTarget(deps, workspace, check));
}

/** Checks the certificate of an https:// URL once. @throws Fault as `testMonitorTarget` */
export async function testMonitorSsl(
  deps: MonitorTestDeps,
  workspace: TestingWorkspace,
  check: OneOffCheck,
): Promise<SslResultView> {
  const { detail, ...result } = await testMonitorTarget(deps, workspace, check);
  return describeSsl(detail?.kind === 'ssl' ? detail : null, seenBy(result));
}

/**
 * Looks a name up once. It reports no changes, because there is no earlier answer to compare with.
 * @throws Fault as `testMonitorTarget`
 */
export async function testMonitorDns(
  deps: MonitorTestDeps,
  workspace: TestingWorkspace,
  check: OneOffCheck,
): Promise<DnsHistoryEntryView> {
  const { detail, ...result } = await testMonitorTarget(deps, workspace, check);
  return describeDns(detail?.kind === 'dns' ? detail : null, { ...seenBy(result), changed: false, changes: [] });
}

function seenBy({ startedAtMs, outcome, region }: Pick<CheckResult, 'startedAtMs' | 'outcome'> & { region: Region }) {
  const failureReason = outcome.kind === 'up' ? null : outcome.message;
  return { checkedAtMs: startedAtMs, region, failureReason };
}

function describe(result: CheckResult): MonitorTestView {
  const { outcome, startedAtMs, totalUs, statusCode, timings, evidence, addresses, addressWarnings, steps, ping } =
    result;
  return {
    responseTime: totalUs / 1_000,
    statusCode,
    outcome: outcome.kind,
    wasAvailable: outcome.kind === 'up',
    started: new Date(startedAtMs).toISOString(),
    ended: new Date(startedAtMs + Math.round(totalUs / 1_000)).toISOString(),
    failureReason: outcome.kind === 'up' ? null : outcome.message,
    notes: evidence?.notes ?? [],
    assertions: evidence?.assertions ?? [],
    answer: evidence?.headers
      ? {
          httpVersion: evidence.hops?.at(-1)?.httpVersion ?? null,
          headers: evidence.headers,
          body: evidence.bodyStart ?? '',
        }
      : null,
    ...(addressWarnings && { addressWarnings }),
    ...(addresses && {
      addresses: addresses.map(({ address, status, responseUs, message }) => ({
        address,
        status,
        responseTime: responseUs === null ? null : responseUs / 1_000,
        failureReason: message,
      })),
    }),
    phases: phasesOf(timings),
    ...(steps && { steps: steps.map(describeStep) }),
    ...(ping && { ping }),
  };
}
