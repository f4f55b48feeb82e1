import { expect } from 'chai';
import fc from 'fast-check';
import { barSlots, decideBar } from './decide-bar.js';
import { decideTimeline, type RegionSpan } from './decide-timeline.js';

const STEP = 100;
const NOW = 12_345;
const SLOTS = barSlots(NOW, STEP, 24);
const LETTERS = { available: 'a', partial: 'p', unavailable: 'u', unknown: 'n' } as const;

const spans = fc
  .array(fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 700 }), fc.boolean()), { maxLength: 8 }), {
    maxLength: 3,
  })
  .map((regions) =>
    regions.flatMap((list, series) => {
      let atMs = 9_500;
      return list.map(([gap, length, up]): RegionSpan => {
        const span = { series, startMs: atMs + gap, endMs: atMs + gap + length, up };
        atMs = span.endMs;
        return span;
      });
    }),
  );

describe('The bar of a monitor', () => {
  it('has in every slot the worst status that the timeline of availability has in it', () => {
    fc.assert(
      fc.property(spans, (list) => {
        const timeline = decideTimeline(list, SLOTS.startMs, NOW);
        const bar = decideBar(timeline, SLOTS);
        expect(bar).to.have.length(24);
        for (let slot = 0; slot < 24; slot++) {
          const [from, to] = [SLOTS.startMs + slot * STEP, SLOTS.startMs + (slot + 1) * STEP];
          const inSlot = timeline
            .filter(({ startMs, endMs }) => startMs < to && endMs > from)
            .map(({ status }) => status);
          const worst = (['unavailable', 'partial', 'unknown', 'available'] as const).find((status) =>
            inSlot.includes(status),
          );
          expect(bar[slot], `slot ${slot}`).to.equal(LETTERS[worst!]);
        }
      }),
    );
  });

  it('ends with the slot of the present, at a whole multiple of its length', () => {
    expect(SLOTS.startMs % STEP).to.equal(0);
    expect(NOW).to.be.within(SLOTS.startMs + 23 * STEP, SLOTS.startMs + 24 * STEP - 1);
  });

  const timeline = decideTimeline([{ series: 1, startMs: 12_130, endMs: 13_000, up: true }], SLOTS.startMs, NOW);
  const monitor = { createdMs: 12_110, isEnabled: true, firstResultMs: 12_130 };

  it('is empty before the monitor existed, and the seconds before its first check are not unknown', () => {
    expect(decideBar(timeline, SLOTS, monitor)).to.equal(`${'-'.repeat(21)}aaa`);
  });

  it('is unknown from the creation on where the first check came much later', () => {
    expect(decideBar(timeline, SLOTS, { ...monitor, createdMs: 11_950 })).to.equal(`${'-'.repeat(19)}nnnaa`);
  });

  it('shows results that are older than the monitor', () => {
    expect(decideBar(timeline, SLOTS, { ...monitor, createdMs: NOW })).to.equal(`${'-'.repeat(21)}aaa`);
  });

  it('is paused since the last result of a monitor that is not enabled', () => {
    const ended = decideTimeline([{ series: 1, startMs: 11_000, endMs: 12_200, up: true }], SLOTS.startMs, NOW);
    expect(decideBar(ended, SLOTS, { createdMs: 0, isEnabled: false, firstResultMs: 11_000 }).slice(-4)).to.equal(
      'aazz',
    );
  });
});
