import { expect } from 'chai';
import fc from 'fast-check';
import { IntervalTable } from './interval-table.js';

const SINCE_MS = Date.UTC(2026, 10, 21);
const LATER_MS = SINCE_MS + 86_400_000;

describe('the table of intervals', () => {
  it('contains what was set last for every monitor, while it has room', () => {
    const monitorKey = fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 2 ** 50 }));
    const settings = fc.array(fc.tuple(monitorKey, fc.integer({ min: 1, max: 86_400_000 })), { maxLength: 4_000 });
    fc.assert(
      fc.property(settings, monitorKey, (set, other) => {
        const table = new IntervalTable();
        const expected = new Map<number, number>();
        for (const [key, intervalMs] of set) {
          table.set(key, intervalMs, SINCE_MS);
          expected.set(key, intervalMs);
        }
        expect(table.size).to.equal(expected.size);
        for (const [key, intervalMs] of expected) expect(table.intervalAt(key, LATER_MS)).to.equal(intervalMs);
        expect(table.intervalAt(other, LATER_MS)).to.equal(expected.get(other));
      }),
      { numRuns: 50 },
    );
  });

  it('does not know an interval for a time before it was created, nor for keys that no monitor has', () => {
    const table = new IntervalTable();
    table.set(7, 60_000, SINCE_MS + 1);
    expect(table.intervalAt(7, SINCE_MS)).to.equal(undefined);
    expect(table.intervalAt(7, SINCE_MS + 1_000)).to.equal(60_000);
    for (const key of [0, -1, 8, 0.5, NaN]) expect(table.intervalAt(key, LATER_MS)).to.equal(undefined);
  });

  it('knows each of 1,000,000 monitors that report in turns, in at most 64 bytes per monitor', () => {
    const table = new IntervalTable();
    const monitors = 1_000_000;
    for (let key = 1; key <= monitors; key++) table.set(key * 3, 60_000 + (key % 7), SINCE_MS);
    expect(table.size).to.equal(monitors);
    expect(table.bytes / monitors).to.be.at.most(64);
    let known = 0;
    for (let key = 1; key <= monitors; key++) if (table.intervalAt(key * 3, LATER_MS) === 60_000 + (key % 7)) known++;
    expect(known).to.equal(monitors);
  });

  it('knows a part of more monitors than it has room for, though they report in turns', () => {
    const slots = 2 ** 12;
    const table = new IntervalTable(slots);
    const monitors = slots * 1.5;
    let known = 0;
    for (let turn = 0; turn < 4; turn++) {
      known = 0;
      for (let key = 1; key <= monitors; key++) {
        if (table.intervalAt(key, LATER_MS) === undefined) table.set(key, 60_000, SINCE_MS);
        else known++;
      }
    }
    expect(table.size).to.be.at.most(slots);
    expect(known / monitors).to.be.above(0.3);
  });
});
