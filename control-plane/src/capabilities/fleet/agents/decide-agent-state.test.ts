import { expect } from 'chai';
import { decideAgentState } from './decide-agent-state.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const ago = (ms: number) => new Date(NOW - ms);

describe('the state of an agent', () => {
  it('follows from its status, its last heartbeat and its visibility', () => {
    expect(decideAgentState({ status: 'active', lastSeen: ago(8_000) }, NOW)).to.equal('connected');
    expect(decideAgentState({ status: 'active', lastSeen: ago(16_000) }, NOW)).to.equal('silent');
    expect(decideAgentState({ status: 'active', lastSeen: null }, NOW)).to.equal('new');
    expect(decideAgentState({ status: 'draining', lastSeen: ago(2_000) }, NOW)).to.equal('draining');
    expect(decideAgentState({ status: 'draining', lastSeen: ago(60_000) }, NOW)).to.equal('silent');
    expect(decideAgentState({ status: 'active', lastSeen: ago(2_000), visibility: 'blind' }, NOW)).to.equal('blind');
    expect(decideAgentState({ status: 'revoked', lastSeen: ago(1_000) }, NOW)).to.equal('revoked');
  });
});
