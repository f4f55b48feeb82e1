import type { CheckSpec } from '@watchpost/shared/check';
import { httpCheck as definition, type HttpTarget } from '@watchpost/shared/checks/http';
import { createEgressPolicy } from '@watchpost/shared/egress';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { expect } from 'chai';
import { createProbes, type Probes, type ProbesOptions } from '@watchpost/agent/probes/index';

export const LOOPBACK = createEgressPolicy({ allowCidrs: ['127.0.0.0/8', '::1/128'] });

/**
 * Probes that can reach this machine as monitors, and public addresses only as checks of visitors. A check during which
 * this process stood still is repeated: its outcome is inconclusive.
 */
export function testProbes(options: Partial<ProbesOptions> = {}): Probes {
  const probes = bareProbes(options);
  const run: Probes['run'] = async (...check) => {
    for (;;) {
      const report = await probes.run(...check);
      if (report.outcome.kind !== 'inconclusive' || report.outcome.reason !== 'agent_late') return report;
    }
  };
  return { ...probes, run };
}

/** The same with every report as it comes. */
export function bareProbes(options: Partial<ProbesOptions> = {}): Probes {
  return createProbes({
    monitorEgress: LOOPBACK,
    publicEgress: createEgressPolicy({ allowCidrs: [] }),
    version: '9.9.9',
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}

export interface CheckOptions extends Partial<Omit<HttpTarget, 'kind' | 'url'>> {
  timeoutMs?: number;
}

export function httpCheck(url: string, options: CheckOptions = {}): CheckSpec {
  const { timeoutMs = 5_000, ...target } = options;
  return {
    key: { monitorKey: 1, kind: 'http' },
    intervalMs: 60_000,
    phaseMs: 0,
    changedAtMs: 0,
    timeoutMs,
    target: definition.target.parse({ url, ...target }),
  };
}

export function run(probes: Probes, url: string, options: CheckOptions = {}): Promise<ProbeReport> {
  return probes.run(httpCheck(url, options), new AbortController().signal);
}

export function expectDown(report: ProbeReport, phase: string, reason: string, message: string | RegExp): void {
  expect(report.outcome).to.include({ kind: 'down', phase, reason });
  const text = report.outcome.kind === 'down' ? report.outcome.message : '';
  if (typeof message === 'string') expect(text).to.equal(message);
  else expect(text).to.match(message);
  expect(report.evidence, 'evidence').not.to.equal(null);
}

export function expectUp(report: ProbeReport): void {
  expect(report.outcome).to.deep.equal({ kind: 'up' });
  expect(report.evidence).to.equal(null);
}
