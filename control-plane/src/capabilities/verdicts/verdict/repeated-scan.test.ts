import { expect } from 'chai';
import fc from 'fast-check';
import { RepeatedScan } from './repeated-scan.js';

const PASS_MS = 48_000;

/** Reads what is due of a table of so many blocks. */
function readDue(scan: RepeatedScan, blocks: number, read: (block: number) => void): number {
  let ends = 0;
  while (scan.isDue) {
    const { from, until } = scan.range;
    for (let block = from; block < Math.min(until, blocks); block++) read(block);
    if (scan.pass(blocks)) ends++;
  }
  return ends;
}

describe('a repeated scan', () => {
  it('reads the whole table at first, in parts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (blocks) => {
        const read: number[] = [];
        expect(readDue(new RepeatedScan(PASS_MS), blocks, (block) => read.push(block))).to.equal(1);
        expect(read).to.deep.equal(Array.from({ length: blocks }, (_, block) => block));
      }),
      { numRuns: 20 },
    );
  });

  it('reads each block again within the time of a pass and a step, also while the table grows', () => {
    const steps = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 6_000 }), grownBy: fc.nat(300) }), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8_000 }), steps, (atFirst, given) => {
        const scan = new RepeatedScan(PASS_MS);
        let blocks = atFirst;
        let nowMs = 0;
        const readAtMs = new Map<number, number>();
        const note = (block: number): void => void readAtMs.set(block, nowMs);
        readDue(scan, blocks, note);
        let longestStepMs = 0;
        for (const { ms, grownBy } of given) {
          nowMs += ms;
          longestStepMs = Math.max(longestStepMs, ms);
          blocks += grownBy;
          for (let block = blocks - grownBy; block < blocks; block++) readAtMs.set(block, nowMs);
          scan.advance(ms);
          readDue(scan, blocks, note);
          // A table that has grown since the last step is read a little later.
          const growth = blocks / atFirst;
          let oldestMs = nowMs;
          for (const atMs of readAtMs.values()) oldestMs = Math.min(oldestMs, atMs);
          expect(nowMs - oldestMs).to.be.at.most(PASS_MS * growth + 2 * longestStepMs);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('begins anew where the table was written anew', () => {
    const scan = new RepeatedScan(PASS_MS);
    readDue(scan, 20_000, () => {});
    scan.advance(2_000);
    readDue(scan, 20_000, () => {});
    scan.restart();
    const read: number[] = [];
    readDue(scan, 20_000, (block) => read.push(block));
    expect([read.length, read[0], read.at(-1)]).to.deep.equal([20_000, 0, 19_999]);
  });
});
