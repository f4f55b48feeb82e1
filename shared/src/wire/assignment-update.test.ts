import { expect } from 'chai';
import fc from 'fast-check';
import { CHECK_KINDS, type CheckSpec } from '../check.js';
import { sslCheck } from '../checks/ssl.js';
import { AssignmentUpdate } from '../gen/watchpost/agent/v1/agent.js';
import { updateFromWire, updateToWire } from './assignment-update.js';
import type { AssignmentMessage } from './messages.js';

const key = fc.record({ monitorKey: fc.maxSafeNat(), kind: fc.constantFrom(...CHECK_KINDS) });
const check = fc.maxSafeNat().map((monitorKey): CheckSpec => ({
  key: { monitorKey, kind: 'ssl' },
  intervalMs: 60_000,
  timeoutMs: 10_000,
  phaseMs: 1_234,
  changedAtMs: 1_763_000_000_000,
  ownerKey: undefined,
  siteKey: 'site',
  target: sslCheck.target.parse({ host: 'shop.test', port: 443, incidentDays: 7 }),
}));
const checks = fc.array(check, { maxLength: 3 });
const handovers = fc.array(fc.record({ key, completedThroughMs: fc.maxSafeNat() }), { maxLength: 3 });
const revision = fc.maxSafeNat();
const epoch = fc.string();
const message: fc.Arbitrary<AssignmentMessage> = fc.oneof(
  fc.record({
    kind: fc.constant('welcome' as const),
    agentId: fc.uuid(),
    region: fc.constant('northeurope'),
    protocolVersion: fc.constant(1),
    settings: fc.record({ heartbeatMs: fc.nat(), maxBatchResults: fc.nat(), leaveWithinMs: fc.nat() }),
    databaseHistory: fc.string(),
  }),
  fc.record({
    kind: fc.constant('snapshot' as const),
    revision,
    epoch,
    index: fc.nat(9),
    last: fc.boolean(),
    checks,
    handovers: fc.option(handovers),
  }),
  fc.record({
    kind: fc.constant('delta' as const),
    revision,
    epoch,
    upserts: checks,
    removes: fc.array(key, { maxLength: 3 }),
    handovers,
  }),
  fc.record({
    kind: fc.constant('runNow' as const),
    requestId: fc.string(),
    check: fc.option(check),
    deadlineMs: fc.maxSafeNat(),
    purpose: fc.constantFrom('test' as const, 'secondOpinion' as const, 'public' as const),
  }),
  fc.record({ kind: fc.constant('drain' as const), reason: fc.string() }),
);

describe('what the control plane sends', () => {
  it('is decoded as it was encoded, with the clock of the server', () => {
    fc.assert(
      fc.property(message, fc.maxSafeNat(), (given, serverTimeMs) => {
        const update = AssignmentUpdate.decode(AssignmentUpdate.encode(updateToWire(given, serverTimeMs)).finish());
        expect(update.serverTimeMs).to.equal(BigInt(serverTimeMs));
        expect(updateFromWire(update)).to.deep.equal(given);
      }),
    );
  });
});
