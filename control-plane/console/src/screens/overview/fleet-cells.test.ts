import { expect } from 'chai';
import fc from 'fast-check';
import { cellRuns, layCells, pathOfRun, placeInList } from './fleet-cells.js';

const count = fc.integer({ min: 0, max: 3_000 });
const counts = fc
  .record({ available: count, degraded: count, unavailable: count, unknown: count, maintenance: count, paused: count })
  .map((each) => ({ ...each, total: Object.values(each).reduce((sum, one) => sum + one, 0) }));

describe('the picture of a fleet', () => {
  it('has each state that there is, the worst first, without gaps, and a cell for one that is down in any fleet', () => {
    fc.assert(
      fc.property(counts, (given) => {
        const runs = cellRuns(given);
        let next = 0;
        for (const { status, start, length, monitorsPerCell } of runs) {
          expect(start).to.equal(next);
          expect(length * monitorsPerCell).to.be.at.least(given[status]);
          next += length;
        }
        expect(next).to.be.at.most(5_006);
        expect(runs.map(({ status }) => status)).to.have.members(
          Object.entries(given).flatMap(([status, many]) => (status !== 'total' && many > 0 ? [status] : [])),
        );
        expect(runs.some(({ state }) => state === 'unavailable')).to.equal(given.unavailable > 0);
      }),
    );
  });

  it('fits its frame, with the largest cells that do', () => {
    expect(layCells(2_243, 1_100, 300)).to.deep.equal({ pitch: 12, columns: 91, rows: 25 });
    expect(layCells(41, 1_100, 300)).to.deep.equal({ pitch: 22, columns: 50, rows: 1 });
    expect(layCells(3, 300, 72, 2_000)).to.deep.equal({ pitch: 6, columns: 50, rows: 1 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_006 }), fc.integer({ min: 300, max: 1_400 }), (cells, width) => {
        const { pitch, columns, rows } = layCells(cells, width, 300);
        expect(columns * rows).to.be.at.least(cells);
        expect(columns * pitch - 2).to.be.at.most(width);
      }),
    );
  });

  it('finds the monitor of a cell in the list of its state', () => {
    const counted = { available: 120, degraded: 0, unavailable: 2, unknown: 0, maintenance: 1, paused: 0, total: 123 };
    const [down, maintenance, available] = cellRuns(counted);
    expect(placeInList(down!, 1)).to.deep.equal({
      query: { state: 'unavailable', sort: 'name', pageSize: 50, page: 1 },
      at: 1,
    });
    expect(placeInList(maintenance!, 2)).to.deep.include({ at: 0 });
    expect(placeInList(available!, 3 + 101)).to.deep.equal({
      query: { state: 'available', sort: 'name', pageSize: 50, page: 3 },
      at: 1,
    });
    expect(placeInList(down!, 0, { tag: 'team:web' }).query).to.include({
      tag: 'team:web',
      state: 'unavailable',
    });
    expect(pathOfRun(down!, { pitch: 22, columns: 1, rows: 123 })).to.equal('M0 0h20v20h-20zM0 22h20v20h-20z');
  });
});
