import { expect } from 'chai';
import { areaPath, axisTicks, bandPath, heatLevel, linePath, placeOfLine, timeTicks } from './plot.js';

describe('The paths of charts', () => {
  it('have a gap where data is missing, and show a lone point', () => {
    expect(linePath([0, 10, null, 5, null], 40, 10, 10)).to.equal('M0 10L10 0M30 5h5');
    expect(areaPath([0, 10, null, 5, null], 40, 10, 10)).to.equal('M0 10L0 10L10 0L10 10Z');
    expect(linePath([null, 5], 40, 10, 10)).to.equal('M40 5h-20');
    expect(linePath([null, null], 40, 10, 10)).to.equal('');
  });

  it('have a band only where both of its lines are', () => {
    expect(bandPath([0, 2, null, 5], [5, 10, 10, null], 30, 10, 10)).to.equal('M0 5L10 0L10 8L0 10Z');
    expect(bandPath([1], [2], 30, 10, 10)).to.equal('M0 8L0 9Z');
    expect(bandPath([null], [2], 30, 10, 10)).to.equal('');
  });

  it('have levels of heat by ratio', () => {
    expect([10, 20, 40, 80, 160, 319].map((value) => heatLevel(value, 10, 320))).to.deep.equal([0, 1, 2, 3, 4, 4]);
    expect([heatLevel(320, 10, 320), heatLevel(5, 5, 5), heatLevel(0, 0, 0)]).to.deep.equal([4, 0, 0]);
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

describe('A line over time', () => {
  it('begins in the middle of its first step, and stays in its picture', () => {
    const line = { startMs: 100, stepMs: 20, points: [1, 2, 3] };
    expect(placeOfLine(line, { startMs: 100, endMs: 200 }, 50)).to.deep.equal({ x: 5, width: 20 });
    expect(placeOfLine(line, { startMs: 120, endMs: 150 }, 30)).to.deep.equal({ x: 0, width: 30 });
  });
});
