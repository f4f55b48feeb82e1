import type { DownReason, FailurePhase } from '@watchpost/shared/checks/fault-kind';
import type { Outcome } from '@watchpost/shared/outcome';
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

describe('a failure counts against the target only if the agent cannot be its cause', () => {
  it('keeps every outcome of a healthy agent', () => {
    expect(verdict(down('connect', 'timeout'), {})).to.equal('down');
    expect(verdict(down('dns', 'dns_failure'), {})).to.equal('down');
    expect(verdict({ kind: 'up' }, {})).to.equal('up');
  });

  it('is inconclusive while no reference target answers, unless the target itself answered', () => {
    for (const reason of ['timeout', 'connection_refused', 'dns_not_found', 'tls_failure'] as const)
      expect(verdict(down('connect', reason), { isBlind: true })).to.equal('agent_no_network');
    for (const reason of ['unexpected_status', 'keyword_missing', 'address_not_allowed'] as const)
      expect(verdict(down('content', reason), { isBlind: true })).to.equal('down');
    expect(verdict({ kind: 'up' }, { isBlind: true })).to.equal('up');
  });

  it('counts no degradation that the agent may have caused, and keeps what it answered', () => {
    const degraded: Outcome = { kind: 'up', degraded: 'The response time is 812 instead of less than 500.' };
    expect(verdict(degraded, {})).to.equal('up');
    expect(verdict(degraded, { loopLagMaxUs: 400_000 })).to.equal('agent_overloaded');
    expect(verdict(degraded, { loopLagMaxUs: 400_000 }, 'complete')).to.equal('up');
    expect(verdict(degraded, { isBlind: true }, 'complete')).to.equal('agent_no_network');
    expect(verdict(degraded, { isBlind: true }, 'verified')).to.equal('up');
  });

  it('keeps a success, however busy the agent is', () => {
    expect(
      verdict({ kind: 'up' }, { loopLagMaxUs: 5e6, loopLagTotalUs: 9e6, hasRoute: false, stopping: true }),
    ).to.equal('up');
  });

  it('makes a timeout inconclusive if the event loop was blocked for a part of it, and not otherwise', () => {
    expect(verdict(down('firstByte', 'timeout'), { loopLagTotalUs: 2_000_000 })).to.equal('agent_overloaded');
    expect(verdict(down('firstByte', 'timeout'), { loopLagMaxUs: 300_000, loopLagTotalUs: 400_000 })).to.equal('down');
  });

  it('makes a broken connection inconclusive after a long delay of the event loop', () => {
    expect(verdict(down('transfer', 'connection_reset'), { loopLagMaxUs: 400_000 })).to.equal('agent_overloaded');
  });

  it('keeps a failure that the target itself answered, however busy the agent is', () => {
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

  it('keeps complete responses and refused connections, however busy the agent is', () => {
    const busy = { loopLagMaxUs: 9e6, loopLagTotalUs: 9e6 };
    for (const reason of ['protocol_error', 'tls_failure'] as const) {
      expect(verdict(down('firstByte', reason), busy)).to.equal('agent_overloaded');
      expect(verdict(down('firstByte', reason), busy, 'complete')).to.equal('down');
    }
    for (const answer of ['complete', 'verified'] as const)
      expect(verdict(down('content', 'unexpected_status'), { ...busy, stopping: true }, answer)).to.equal('down');
    expect(verdict(down('connect', 'connection_refused'), { ...busy, stopping: true })).to.equal('down');
  });

  it('makes an unverified response inconclusive in a lost network, and keeps a verified one', () => {
    expect(verdict(down('firstByte', 'protocol_error'), { isBlind: true }, 'complete')).to.equal('agent_no_network');
    expect(verdict(down('content', 'unexpected_status'), { isBlind: true }, 'complete')).to.equal('agent_no_network');
    for (const reason of ['protocol_error', 'unexpected_status'] as const)
      expect(verdict(down('content', reason), { isBlind: true }, 'verified')).to.equal('down');
  });

  it('is inconclusive on a machine without a network address', () => {
    expect(verdict(down('connect', 'host_unreachable'), { hasRoute: false })).to.equal('agent_no_network');
    expect(verdict(down('connect', 'connection_refused'), { hasRoute: false })).to.equal('down');
  });

  it('is inconclusive if the agent stopped during the check', () => {
    expect(verdict(down('connect', 'timeout'), { stopping: true })).to.equal('agent_stopping');
  });
});
