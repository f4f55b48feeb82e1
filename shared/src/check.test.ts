import { expect } from 'chai';
import fc from 'fast-check';
import { CHECK_KINDS, checkCode, keyOfCode, kindCodeOf, possibleCodes, schedulePhaseMs } from './check.js';

describe('a check code', () => {
  it('is a safe integer that identifies one check and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 47 }), fc.constantFrom(...CHECK_KINDS), (monitorKey, kind) => {
        const code = checkCode({ monitorKey, kind });
        expect(Number.isSafeInteger(code)).to.equal(true);
        expect(keyOfCode(code)).to.deep.equal({ monitorKey, kind });
        expect(possibleCodes(monitorKey)).to.include(code);
      }),
    );
  });

  it('is different for every kind', () => {
    const kinds = possibleCodes(0).map(kindCodeOf);
    expect(new Set(kinds).size).to.equal(CHECK_KINDS.length);
    expect(kinds).not.to.include(0);
  });
});

describe('the phase of a schedule', () => {
  it('never changes, because stored results and the agents of other versions depend on it', () => {
    expect([
      schedulePhaseMs({ monitorKey: 1, kind: 'http' }, 'northeurope', 60_000),
      schedulePhaseMs({ monitorKey: 417, kind: 'ssl' }, 'japaneast', 3_600_000),
      schedulePhaseMs({ monitorKey: 987_654_321_012, kind: 'tcpUdp' }, 'eastus2', 30_000),
      schedulePhaseMs({ monitorKey: 42, kind: 'dns' }, 'centralindia', 86_400_000),
    ]).to.deep.equal([33_931, 618_118, 24_976, 58_044_460]);
  });
});
