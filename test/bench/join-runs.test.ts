import { expect } from 'chai';
import { benchRow } from './bench-row.js';
import { isUnsettled, joinRuns } from './join-runs.js';

const aim = { text: '<= 1.15x', met: ({ ratio }: { ratio: number }) => ratio <= 1.15 };
const cost = (ratio: number, turns = '1 to 2 x in 9 turns') =>
  benchRow({ name: `cost (${turns})`, value: ratio * 10, unit: 'µs', yardstick: { name: 'bare', value: 10 }, aim });

describe('the rows of several runs of a bench', () => {
  it('become the row of the run with the median figure, with the variation of all runs', () => {
    const [row] = joinRuns([[cost(1)], [cost(1.2, '1 to 3 x in 9 turns')], [cost(1.1, '1 to 4 x in 9 turns')]]);
    expect(row).to.deep.include({ name: 'cost (1 to 4 x in 9 turns)', ratio: 1.1, met: true });
    expect(row!.variation).to.deep.include({ least: 1, most: 1.2, runs: 3 });
    expect(row!.variation!.share).to.be.closeTo(0.2 / 1.1, 1e-9);
  });

  it('are compared by name and place, also where a run lacks one of them', () => {
    const part = (value: number) => benchRow({ name: '  p50', value, unit: 'ms' });
    const rows = joinRuns([[cost(1), part(4), part(9)], [part(6)]]);
    expect(rows.map(({ value, variation }) => [value, variation!.runs])).to.deep.equal([
      [10, 1],
      [4, 2],
      [9, 1],
    ]);
  });

  it('are unsettled while a figure with an aim differs by more than 15 % between runs', () => {
    const aimless = (value: number) => benchRow({ name: 'p50', value, unit: 'ms' });
    expect(isUnsettled(joinRuns([[cost(1)], [cost(1.1)]]))).to.equal(false);
    expect(isUnsettled(joinRuns([[cost(1)], [cost(1.2)]]))).to.equal(true);
    expect(isUnsettled(joinRuns([[aimless(1)], [aimless(2)]]))).to.equal(false);
    expect(isUnsettled([cost(1)])).to.equal(false);
  });
});
