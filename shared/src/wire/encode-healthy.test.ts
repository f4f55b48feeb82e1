import { expect } from 'chai';
import fc from 'fast-check';
import { CHECK_KINDS } from '../check.js';
import { CheckResult as WireResult } from '../gen/watchpost/agent/v1/agent.js';
import type { CheckResult } from '../outcome.js';
import { encodeHealthy } from './encode-healthy.js';
import { resultToWire } from './encode-result.js';

const us = fc.oneof(
  fc.constant(0),
  fc.nat(300),
  fc.nat(0x7fff_ffff),
  fc.double({ min: -5, max: 2 ** 34, noNaN: true }),
);
const address = fc.oneof(
  fc.constantFrom(null, '', '192.0.2.7:443', '[2001:db8::1]:8080'),
  fc.string({ maxLength: 260, unit: 'grapheme' }),
);
const results: fc.Arbitrary<CheckResult> = fc.record({
  key: fc.record({ monitorKey: fc.maxSafeNat(), kind: fc.constantFrom(...CHECK_KINDS) }),
  outcome: fc.constantFrom(
    { kind: 'up' as const },
    { kind: 'up' as const },
    { kind: 'up' as const, degraded: 'Header x is missing (1 of 1 assertions failed).' },
    { kind: 'inconclusive' as const, reason: 'agent_late' as const, message: 'late' },
  ),
  scheduledAtMs: fc.maxSafeNat(),
  startedAtMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 2 ** 50, noNaN: true })),
  totalUs: us,
  freshMs: us,
  loopLagUs: us,
  timings: fc.record({ dnsUs: us, connectUs: us, tlsUs: us, firstByteUs: us, transferUs: us }),
  statusCode: fc.oneof(fc.constant(null), fc.integer({ min: 100, max: 599 })),
  address,
  evidence: fc.constant(null),
});

describe('a healthy result', () => {
  it('has the same bytes as with the generated encoder; any other result is left to that one', () => {
    fc.assert(
      fc.property(results, (result) => {
        const bytes = encodeHealthy(result);
        if (result.outcome.kind !== 'up' || result.outcome.degraded) expect(bytes).to.equal(undefined);
        else if (bytes) expect(bytes.equals(WireResult.encode(resultToWire(result)).finish())).to.equal(true);
        else
          expect(result.address).to.satisfy(
            (text: string) => text.length > 200 || Buffer.byteLength(text) > text.length,
          );
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves a result with a detail, or with something about single addresses, to the generated encoder', () => {
    fc.assert(
      fc.property(results, (result) => {
        const detail = { kind: 'dns' as const, resolver: null, records: {}, responseUs: 1, propagation: null };
        for (const more of [{ detail }, { addresses: [] }, { addressWarnings: ['no route'] }])
          expect(encodeHealthy({ ...result, ...more })).to.equal(undefined);
      }),
      { numRuns: 20 },
    );
  });
});
