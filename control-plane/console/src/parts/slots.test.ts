import { expect } from 'chai';
import { durationText } from './format.js';
import { describeSlots, slotAt, slotsOf, stretchAt } from './slots.js';

const BAR = { start: '2026-11-22T00:00:00.000Z', stepSeconds: 900, states: '--aauux' };

describe('The slots of a bar', () => {
  it('have states and times, and a letter that is not known is unknown', () => {
    const slots = slotsOf(BAR);
    expect(slots.map(({ state }) => state)).to.deep.equal([
      'none',
      'none',
      'available',
      'available',
      'unavailable',
      'unavailable',
      'unknown',
    ]);
    expect(new Date(slots[6]!.endMs).toISOString()).to.equal('2026-11-22T01:45:00.000Z');
  });

  it('are found by a point, also one beside the bar', () => {
    expect([-5, 0, 49, 50, 99.9, 100, 300].map((x) => slotAt(x, 100, 2))).to.deep.equal([0, 0, 0, 1, 1, 1, 1]);
    expect(slotAt(5, 0, 2)).to.equal(0);
  });

  it('are described together with neighbours of the same state', () => {
    const slots = slotsOf(BAR);
    expect(stretchAt(slots, 5)).to.deep.equal({
      state: 'unavailable',
      startMs: Date.parse('2026-11-22T01:00:00Z'),
      endMs: Date.parse('2026-11-22T01:30:00Z'),
    });
    expect(stretchAt(slots, 7)).to.equal(undefined);
  });

  it('are summed in words', () => {
    expect(describeSlots(slotsOf(BAR), durationText)).to.equal(
      'Last 1 h 45 min: available 30 min, unavailable 30 min, unknown 15 min',
    );
    expect(describeSlots(slotsOf({ ...BAR, states: '---' }), durationText)).to.equal('No data yet');
  });
});
