import type { DownReason, FailurePhase, Outcome } from '@watchpost/shared/outcome';
import { expect } from 'chai';
import { decideConclusive, type AgentCondition } from './decide-conclusive.js';

const HEALTHY: AgentCondition = {
  loopLagMaxUs: 2_000,
  loopLagTotalUs: 3_000,
  timeoutMs: 10_000,
  stopping: false,
  hasRoute: true,
  isBlind: false,
};
const down = (phase: FailurePhase, reason: DownReason): Outcome => ({
  kind: 'down',
  phase,
  reason,
  message: 'It failed.',
});
const verdict = (outcome: Outcome, more: Partial<AgentCondition>, answer?: 'complete' | 'verified') => {
  const decided = decideConclusive(outcome, { ...HEALTHY, ...more }, answer);
  return decided.kind === 'inconclusive' ? decided.reason : decided.kind;
};

describe('a check speaks about its target only where the agent is sound', () => {
  it('takes every outcome as it is from a healthy agent', () => {
    expect(verdict(down('connect', 'timeout'), {})).to.equal('down');
    expect(verdict(down('dns', 'dns_failure'), {})).to.equal('down');
    expect(verdict({ kind: 'up' }, {})).to.equal('up');
  });

  it('blames its own network where none of its reference targets answers, unless the target itself did', () => {
    for (const reason of ['timeout', 'connection_refused', 'dns_not_found', 'tls_failure'] as const)
      expect(verdict(down('connect', reason), { isBlind: true })).to.equal('agent_no_network');
    for (const reason of ['unexpected_status', 'keyword_missing', 'address_not_allowed'] as const)
      expect(verdict(down('content', reason), { isBlind: true })).to.equal('down');
    expect(verdict({ kind: 'up' }, { isBlind: true })).to.equal('up');
  });

  it('keeps a success, however late the agent was', () => {
    expect(
      verdict({ kind: 'up' }, { loopLagMaxUs: 5e6, loopLagTotalUs: 9e6, hasRoute: false, stopping: true }),
    ).to.equal('up');
  });

  it('blames itself for a timeout that it slept through, and the target for one that it did not', () => {
    expect(verdict(down('firstByte', 'timeout'), { loopLagTotalUs: 2_000_000 })).to.equal('agent_overloaded');
    expect(verdict(down('firstByte', 'timeout'), { loopLagMaxUs: 300_000, loopLagTotalUs: 400_000 })).to.equal('down');
  });

  it('blames itself for a connection that broke while it did not listen', () => {
    expect(verdict(down('transfer', 'connection_reset'), { loopLagMaxUs: 400_000 })).to.equal('agent_overloaded');
  });

  it('believes what the target really said, however late it listened', () => {
    for (const reason of [
      'unexpected_status',
      'keyword_missing',
      'connection_refused',
      'certificate_invalid',
      'dns_not_found',
    ] as const) {
      expect(verdict(down('content', reason), { loopLagMaxUs: 9e6, loopLagTotalUs: 9e6 })).to.equal('down');
    }
  });

  it('believes every whole answer and every refused connection on an agent that is as busy as can be', () => {
    const busy = { loopLagMaxUs: 9e6, loopLagTotalUs: 9e6 };
    for (const reason of ['protocol_error', 'tls_failure'] as const) {
      expect(verdict(down('firstByte', reason), busy)).to.equal('agent_overloaded');
      expect(verdict(down('firstByte', reason), busy, 'complete')).to.equal('down');
    }
    for (const answer of ['complete', 'verified'] as const)
      expect(verdict(down('content', 'unexpected_status'), { ...busy, stopping: true }, answer)).to.equal('down');
    expect(verdict(down('connect', 'connection_refused'), { ...busy, stopping: true })).to.equal('down');
  });

  it('believes a plain answer from behind a lost network no more than before, and a verified one always', () => {
    expect(verdict(down('firstByte', 'protocol_error'), { isBlind: true }, 'complete')).to.equal('agent_no_network');
    expect(verdict(down('content', 'protocol_error'), { isBlind: true }, 'verified')).to.equal('down');
  });

  it('blames its own network where it has none', () => {
    expect(verdict(down('connect', 'host_unreachable'), { hasRoute: false })).to.equal('agent_no_network');
    expect(verdict(down('connect', 'connection_refused'), { hasRoute: false })).to.equal('down');
  });

  it('says so where it was stopped in the middle', () => {
    expect(verdict(down('connect', 'timeout'), { stopping: true })).to.equal('agent_stopping');
  });
});
