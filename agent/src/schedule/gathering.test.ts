import { MINUTE_MS } from '@watchpost/shared/time';
import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckSpec } from '@watchpost/shared/check';
import { httpCheck } from '@watchpost/shared/checks/http';
import { Gathering } from './gathering.js';

const each = (url: string): CheckSpec => ({
  key: { monitorKey: 1, kind: 'http' },
  intervalMs: MINUTE_MS,
  timeoutMs: 10_000,
  phaseMs: 0,
  changedAtMs: 0,
  target: httpCheck.target.parse({ url }),
});

const EACH_MINUTE = each('https://example.test/');
const PLAIN = each('http://example.test/');

describe('the gathering of checks', () => {
  it('lets a check wait for a tenth of a second at most, and as long in each interval', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
        fc.constantFrom(30_000, MINUTE_MS, 86_400_000),
        (checks, atMs, intervalMs) => {
          const gathering = new Gathering();
          for (let index = 0; index < checks; index++) gathering.add(EACH_MINUTE);
          const waitMs = gathering.startOf(atMs) - atMs;
          expect(waitMs).to.be.within(0, 99);
          expect(gathering.startOf(atMs + intervalMs) - atMs - intervalMs).to.equal(waitMs);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('gathers about eight, and starts all of a group in half of the time until the next', () => {
    const gathering = new Gathering();
    const groupMs = () => gathering.startOf(1_001) - 1_000;
    const found = [0, 4_800, 4_801, 60_000, 600_000].map((checks, index, counts) => {
      for (let more = counts[index - 1] ?? 0; more < checks; more++) gathering.add(EACH_MINUTE);
      return [groupMs(), ...[1, 20, 1_000].map((waiting) => gathering.apartMs(EACH_MINUTE, waiting))];
    });
    expect(found).to.deep.equal([
      [100, 3, 2, 0],
      [100, 3, 2, 0],
      [50, 3, 1, 0],
      [5, 2, 0, 0],
      [1, 0, 0, 0],
    ]);
    expect(gathering.apartMs(PLAIN, 1)).to.equal(0);
    for (let gone = 0; gone < 600_000; gone++) gathering.remove(EACH_MINUTE);
    expect(groupMs()).to.equal(100);
    expect(gathering.apartMs(PLAIN, 1), 'without TLS').to.equal(1);
  });
});
