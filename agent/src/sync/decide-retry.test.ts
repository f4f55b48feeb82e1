import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { decideAfterSession, RECONNECT } from './decide-retry.js';

const end = (code: number, more = {}) => ({ code, details: 'why', healthy: false, drained: false, ...more });

describe('after a stream has ended', () => {
  it('stops permanently only if the control plane itself refuses the agent', () => {
    for (const code of Object.values(status).filter((value): value is number => typeof value === 'number')) {
      const permanent = [status.UNAUTHENTICATED, status.PERMISSION_DENIED, status.FAILED_PRECONDITION].includes(code);
      expect(decideAfterSession(end(code), 0, 0.5).kind, status[code]).to.equal(permanent ? 'refused' : 'retry');
    }
  });

  it('retries if a proxy refuses the stream', () => {
    expect(
      decideAfterSession(end(status.PERMISSION_DENIED, { details: 'Received HTTP status code 403' }), 0, 0).kind,
    ).to.equal('retry');
  });

  it('waits longer each time, up to 5 s, until a session is healthy', () => {
    let attempt = 0;
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      const next = decideAfterSession(end(status.UNAVAILABLE), attempt, 0.999);
      if (next.kind !== 'retry') throw new Error('refused');
      waits.push(next.waitMs);
      attempt = next.attempt;
    }
    expect(waits).to.deep.equal(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).to.be.within(4_900, RECONNECT.maxMs);
    expect(decideAfterSession(end(status.UNAVAILABLE, { healthy: true }), attempt, 0)).to.deep.equal({
      kind: 'retry',
      waitMs: 250,
      attempt: 1,
    });
  });

  it('reconnects within half a second if the control plane asked for it', () => {
    expect(decideAfterSession(end(status.OK, { drained: true }), 5, 0.5)).to.deep.equal({
      kind: 'retry',
      waitMs: 250,
      attempt: 0,
    });
  });
});
