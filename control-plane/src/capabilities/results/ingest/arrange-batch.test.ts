import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckResult } from '@watchpost/shared/outcome';
import { regionCode, type Region } from '@watchpost/shared/region';
import { isSameSeries } from '../../verdicts/index.js';
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

const reported = (each: CheckResult, region: Region = 'northeurope') => ({ result: each, region, agentKey: 7 });

describe('arrangeBatch', () => {
  it('sorts any batch in the same order, each series by time, with one result per round', () => {
    const batches = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat(1_000), fc.constantFrom<Region>('japaneast', 'eastus2')),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(batches, (pairs) => {
        const { results: arranged, rounds } = arrangeBatch(
          pairs.map(([key, ago, region]) => reported(result(key, NOW - ago), region)),
          BOUNDS,
        );
        expect(arranged).to.have.length(pairs.length);
        const placeOf = ({ result: { key }, region }: (typeof arranged)[number]) =>
          key.monitorKey * 10 + regionCode(region);
        arranged.slice(1).forEach((next, index) => {
          const last = arranged[index]!;
          expect(placeOf(next)).to.be.at.least(placeOf(last));
          expect(next.round).to.equal(isSameSeries(last, next) ? last.round + 1 : 1);
          if (isSameSeries(last, next)) expect(next.result.scheduledAtMs).to.be.at.least(last.result.scheduledAtMs);
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
      ].map((each) => reported(each, 'japaneast')),
      BOUNDS,
    );
    expect(results).to.have.length(2);
    const reasons = ['future', 'expired', ...Array.from({ length: 4 }, () => 'malformed')];
    expect(dropped).to.deep.equal(reasons.map((reason) => ({ region: 'japaneast', reason })));
  });
});
