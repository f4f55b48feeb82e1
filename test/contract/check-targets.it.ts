import { expect } from 'chai';
import fc from 'fast-check';
import { CHECKS } from '@watchpost/shared/check';
import { CheckSpec as WireSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { specFromWire, specToWire } from '@watchpost/shared/wire/check-spec';
import { z } from 'zod';
import { arbitraryOf, type JsonSchema } from './arbitrary-of-schema.js';

const checks = fc.record({
  monitorKey: fc.maxSafeNat(),
  intervalMs: fc.integer({ min: 1, max: 3_600_000 }),
  timeoutMs: fc.integer({ min: 1, max: 60_000 }),
  phaseMs: fc.nat(3_600_000),
  changedAtMs: fc.maxSafeNat(),
  ownerKey: fc.option(fc.string({ maxLength: 16 }), { nil: undefined }),
  siteKey: fc.option(fc.string({ maxLength: 16 }), { nil: undefined }),
});

describe('a check', () => {
  for (const { kind, target: schema } of CHECKS)
    it(`of the kind ${kind} is decoded as it was encoded`, () => {
      const targets = arbitraryOf(z.toJSONSchema(schema) as JsonSchema, (part) => part);
      fc.assert(
        fc.property(checks, targets, ({ monitorKey, phaseMs, ...made }, given) => {
          // JSON has no -0.
          const { data: target } = schema.safeParse(JSON.parse(JSON.stringify(given)));
          fc.pre(target !== undefined);
          const spec = { ...made, key: { monitorKey, kind }, phaseMs: phaseMs % made.intervalMs, target };
          const bytes = WireSpec.encode(specToWire(spec)).finish();
          expect(specFromWire(WireSpec.decode(bytes))).to.deep.equal(spec);
        }),
      );
    });
});
