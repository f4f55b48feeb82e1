import { expect } from 'chai';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import { Urgency } from './result-reporter.js';

const UP: Outcome = { kind: 'up' };
const DOWN: Outcome = { kind: 'down', phase: 'connect', reason: 'connection_refused', message: 'refused' };
const UNSURE: Outcome = { kind: 'inconclusive', reason: 'agent_late', message: 'late' };
const of = (monitorKey: number, outcome: Outcome): CheckResult => ({
  key: { monitorKey, kind: 'http' },
  outcome,
  scheduledAtMs: 0,
  startedAtMs: 0,
  freshMs: 0,
  totalUs: 0,
  loopLagUs: 0,
  timings: { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
  statusCode: null,
  address: null,
  evidence: null,
});

describe('a result', () => {
  it('is urgent if it is a failure, the first success after one, or the first after a change', () => {
    const urgency = new Urgency();
    expect(urgency.isUrgent(of(1, UP), true)).to.equal(true);
    expect(urgency.isUrgent(of(1, UP), false)).to.equal(false);
    expect(urgency.isFailing(of(1, DOWN))).to.equal(false);
    for (const outcome of [DOWN, UNSURE]) {
      expect(urgency.isUrgent(of(1, outcome), false)).to.equal(true);
      expect(urgency.isUrgent(of(2, UP), false)).to.equal(false);
      expect(urgency.isFailing(of(1, outcome))).to.equal(true);
      expect(urgency.isUrgent(of(1, outcome), false)).to.equal(true);
      expect(urgency.isUrgent(of(1, UP), false)).to.equal(true);
      expect(urgency.isUrgent(of(1, UP), false)).to.equal(false);
    }
  });
});
