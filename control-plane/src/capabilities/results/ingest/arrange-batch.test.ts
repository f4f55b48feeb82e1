import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckResult } from '@watchpost/shared/outcome';
import { arrangeBatch } from './arrange-batch.js';

const NOW = Date.UTC(2026, 10, 21);
const BOUNDS = { nowMs: NOW, oldestMs: NOW - 86_400_000 };

function result(monitorKey: number, scheduledAtMs: number, kind = 'http'): CheckResult {
  return {
    key: { monitorKey, kind: kind as 'http' },
    scheduledAtMs,
    startedAtMs: scheduledAtMs,
    freshMs: 150_000,
    totalUs: 1,
    timings: { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
    statusCode: 200,
    address: null,
    evidence: null,
    loopLagUs: 0,
    outcome: { kind: 'up' },
  };
}

describe('arrangeBatch', () => {
  it('sorts any batch in the same order, each series by time, with one result per round', () => {
    const batches = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat(1_000)), { maxLength: 40 });
    fc.assert(
      fc.property(batches, (pairs) => {
        const results = pairs.map(([key, ago]) => result(key, NOW - ago));
        const { results: arranged, rounds } = arrangeBatch(results, BOUNDS, () => 7);
        expect(arranged).to.have.length(results.length);
        arranged.slice(1).forEach(({ result: next, round }, index) => {
          const { result: last, round: before } = arranged[index]!;
          expect(next.key.monitorKey).to.be.at.least(last.key.monitorKey);
          const isSame = next.key.monitorKey === last.key.monitorKey;
          expect(round).to.equal(isSame ? before + 1 : 1);
          if (isSame) expect(next.scheduledAtMs).to.be.at.least(last.scheduledAtMs);
        });
        expect(rounds).to.equal(Math.max(0, ...arranged.map(({ round }) => round)));
      }),
    );
  });

  it('drops and counts results that can never be stored, so that they do not block others', () => {
    const { results, dropped } = arrangeBatch(
      [
        result(1, NOW),
        result(1, NOW + 30_000),
        result(1, NOW + 30_001),
        result(1, BOUNDS.oldestMs - 1),
        result(Number.NaN, NOW),
        result(0, NOW),
        result(1, Number.NaN),
        result(1, NOW, 'carrierPigeon'),
      ],
      BOUNDS,
      () => 7,
    );
    expect(results).to.have.length(2);
    expect(Object.fromEntries(dropped)).to.deep.equal({ future: 1, expired: 1, malformed: 4 });
  });
});
