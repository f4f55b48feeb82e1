import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { expect } from 'chai';
import fc from 'fast-check';
import { applyPing } from './apply-ping.js';
import { decideHeartbeat } from './decide-heartbeat.js';
import type { HeartbeatSubject, Ping } from './heartbeat.js';

const START = Date.parse('2026-11-21T12:00Z');

const fresh = (settings: Partial<HeartbeatSubject['settings']> = {}): HeartbeatSubject => ({
  monitorKey: 1,
  settings: { everyMs: HOUR_MS, cron: null, timezone: null, graceMs: 5 * MINUTE_MS, maxRuntimeMs: null, ...settings },
  scheduleSinceMs: START,
  receivedUntilMs: Infinity,
  outages: [],
  state: {
    countsFromMs: START,
    lastPingMs: null,
    dueFromMs: null,
    succeededMs: null,
    runs: [],
    failure: null,
    expectedByMs: null,
  },
});
const pingAt = (afterMs: number, kind: Ping['kind'] = 'success', rid: string | null = null): Ping => ({
  atMs: START + afterMs,
  kind,
  exitCode: null,
  rid,
  remoteAddress: '192.0.2.1',
  userAgent: null,
  body: null,
});
const after = (subject: HeartbeatSubject, ...pings: Ping[]): HeartbeatSubject =>
  pings.reduce((one, ping) => ({ ...one, state: applyPing(one.state, ping).state }), subject);
/** Decides at a moment up to which pings were received. */
const decide = (subject: HeartbeatSubject, afterMs: number) =>
  decideHeartbeat({ ...subject, receivedUntilMs: Math.min(subject.receivedUntilMs, START + afterMs) }, START + afterMs);

describe('A heartbeat', () => {
  it('is unknown and expects nothing until its first ping', () => {
    expect(decide(fresh(), 100 * HOUR_MS)).to.deep.include({
      verdict: 'unknown',
      expectedByMs: null,
      decideAtMs: null,
    });
    expect(decide(after(fresh(), pingAt(0, 'log')), 100 * HOUR_MS).verdict).to.equal('unknown');
  });

  it('is available after a success until the next due time and the grace have passed, and late exactly then', () => {
    const one = after(fresh(), pingAt(0));
    const lateAt = 65 * MINUTE_MS;
    expect(decide(one, lateAt - 1)).to.include({ verdict: 'available', decideAtMs: START + lateAt });
    const late = decide(one, lateAt + 7_000);
    expect(late).to.include({ verdict: 'unavailable', sinceMs: START + lateAt, decideAtMs: null });
    expect(late.failure).to.deep.include({ kind: 'late', lastSuccessMs: START });
  });

  it('is never late where it is not certain that pings were received until the deadline', () => {
    const one = { ...after(fresh(), pingAt(0)), receivedUntilMs: START + 64 * MINUTE_MS };
    expect(decide(one, 3 * HOUR_MS)).to.include({ verdict: 'available', decideAtMs: START + 3 * HOUR_MS + 5_000 });
  });

  it('fails by a reported failure until the next success, whatever else comes and whichever run succeeds', () => {
    const rids = fc.constantFrom(null, 'a', 'b', 'c');
    const others = fc.array(fc.tuple(fc.constantFrom('start', 'fail', 'log'), rids), { maxLength: 10 });
    fc.assert(
      fc.property(fc.constantFrom(null, 30_000), others, rids, (maxRuntimeMs, pings, rid) => {
        const failed = after(fresh({ maxRuntimeMs }), pingAt(0), pingAt(1_000, 'fail'));
        const later = after(
          failed,
          ...pings.map(([kind, other], index) => pingAt(2_000 + index, kind as Ping['kind'], other)),
        );
        expect(decide(later, MINUTE_MS)).to.include({ verdict: 'unavailable', sinceMs: START + 1_000 });
        const succeeded = after(later, pingAt(MINUTE_MS, 'success', rid));
        expect(decide(succeeded, MINUTE_MS)).to.include({ verdict: 'available', failure: null });
        expect(decide({ ...succeeded, scheduleSinceMs: START + 2 * MINUTE_MS }, 3 * MINUTE_MS)).to.include({
          verdict: 'available',
          failure: null,
        });
      }),
    );
  });

  it('fails by a run that takes longer than it may, and not by runs that have ended', () => {
    const limited = fresh({ maxRuntimeMs: 10 * MINUTE_MS });
    const started = after(limited, pingAt(0), pingAt(MINUTE_MS, 'start', 'a'), pingAt(2 * MINUTE_MS, 'start', 'b'));
    expect(decide(started, 5 * MINUTE_MS)).to.include({ verdict: 'available', decideAtMs: START + 11 * MINUTE_MS });
    expect(decide(started, 11 * MINUTE_MS).failure).to.deep.include({ kind: 'overrun', rid: 'a' });
    const ended = after(started, pingAt(3 * MINUTE_MS, 'success', 'a'), pingAt(4 * MINUTE_MS, 'success', 'b'));
    expect(decide(ended, 20 * MINUTE_MS).verdict).to.equal('available');
  });

  it('measures how long a run took from its start and end', () => {
    const { state } = after(fresh(), pingAt(0, 'start', 'a'), pingAt(5, 'start'));
    expect(applyPing(state, pingAt(100, 'success', 'a')).runtimeMs).to.equal(100);
    expect(applyPing(state, pingAt(100, 'fail')).runtimeMs).to.equal(95);
    expect(applyPing(state, pingAt(100, 'success', 'other')).runtimeMs).to.equal(null);
  });

  it('is unknown after a pause until the next ping, unless the last success is still fresh', () => {
    const resumedAt = (subject: HeartbeatSubject, atMs: number): HeartbeatSubject => ({
      ...subject,
      scheduleSinceMs: START + atMs,
      state: { ...subject.state, countsFromMs: START + atMs, failure: null, runs: [] },
    });
    const succeeded = after(fresh(), pingAt(0));
    expect(decide(resumedAt(succeeded, 10 * MINUTE_MS), 10 * MINUTE_MS).verdict).to.equal('available');
    const long = resumedAt(succeeded, 3 * HOUR_MS);
    expect(decide(long, 3 * HOUR_MS)).to.include({
      verdict: 'unknown',
      expectedByMs: START + 4 * HOUR_MS + 5 * MINUTE_MS,
    });
    expect(decide(long, 5 * HOUR_MS).verdict).to.equal('unavailable');
    const failed = resumedAt(after(fresh(), pingAt(0), pingAt(1, 'fail')), 10 * MINUTE_MS);
    expect(decide(failed, 10 * MINUTE_MS).verdict).to.equal('unknown');
  });

  it('whose ping may have been lost is unknown until the next one', () => {
    const one = {
      ...after(fresh(), pingAt(0)),
      outages: [{ startedMs: START + 50 * MINUTE_MS, endedMs: START + 3 * HOUR_MS }],
    };
    expect(decide(one, 3 * HOUR_MS)).to.include({
      verdict: 'unknown',
      expectedByMs: START + 4 * HOUR_MS + 5 * MINUTE_MS,
    });
    expect(decide(after(one, pingAt(4 * HOUR_MS)), 4 * HOUR_MS).verdict).to.equal('available');
    expect(decide(one, 4 * HOUR_MS + 5 * MINUTE_MS).verdict).to.equal('unavailable');
  });

  it('is decided the same way twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3 * HOUR_MS), fc.constantFrom('success', 'start', 'fail', 'log')), { maxLength: 8 }),
        fc.nat(9 * HOUR_MS),
        (pings, nowMs) => {
          const inOrder = pings.toSorted(([a], [b]) => a - b).map(([atMs, kind]) => pingAt(atMs, kind));
          const subject = after(fresh({ maxRuntimeMs: HOUR_MS }), ...inOrder);
          const once = decide(subject, 3 * HOUR_MS + nowMs);
          const again = { ...subject, state: { ...subject.state, failure: once.failure } };
          expect(decide(again, 3 * HOUR_MS + nowMs)).to.deep.equal(once);
        },
      ),
    );
  });
});
