import { expect } from 'chai';
import { areaPath, axisTicks, linePath, timeTicks } from './plot.js';

describe('The paths of charts', () => {
  it('have a gap where data is missing, and show a lone point', () => {
    expect(linePath([0, 10, null, 5, null], 40, 10, 10)).to.equal('M0 10L10 0M30 5h5');
    expect(areaPath([0, 10, null, 5, null], 40, 10, 10)).to.equal('M0 10L0 10L10 0L10 10Z');
    expect(linePath([null, 5], 40, 10, 10)).to.equal('M40 5h-20');
    expect(linePath([null, null], 40, 10, 10)).to.equal('');
  });

  it('have axes with round steps that reach the largest value', () => {
    expect(axisTicks(87)).to.deep.equal([0, 25, 50, 75, 100]);
    expect(axisTicks(100)).to.deep.equal([0, 25, 50, 75, 100]);
    expect(axisTicks(0.03)).to.deep.equal([0, 0.01, 0.02, 0.03]);
    expect(axisTicks(0)).to.deep.equal([0, 1]);
  });

  it('have at most as many moments as there is room for', () => {
    const start = Date.parse('2026-11-22T00:10:00Z');
    const ticks = timeTicks(start, start + 86_400_000, 6);
    expect(ticks.length).to.be.within(3, 6);
    expect(timeTicks(start, start, 6)).to.deep.equal([]);
  });
});
