import { expect } from 'chai';
import fc from 'fast-check';
import { HOUR_MS } from '@watchpost/shared/time';
import {
  type ComingMaintenance,
  decideMaintenanceNotices,
  type KnownMaintenance,
  NOTICE_MS,
} from './decide-maintenance-notices.js';

const NOW = Date.UTC(2026, 10, 21, 12);

const coming = (startMs: number, more: Partial<ComingMaintenance> = {}): ComingMaintenance => {
  const one = { windowId: 'w', name: 'Deploy', description: '', recurs: false, systemIds: [] };
  return { ...one, startMs, endMs: startMs + HOUR_MS, ...more };
};
const known = (startMs: number, now: KnownMaintenance['now'] | 'same' = 'same'): KnownMaintenance => {
  const endMs = startMs + HOUR_MS;
  return { windowId: 'w', name: 'Deploy', startMs, endMs, now: now === 'same' ? { endMs, notifies: true } : now };
};
const kinds = (...args: Parameters<typeof decideMaintenanceNotices>) =>
  decideMaintenanceNotices(...args).map(({ kind }) => kind);

describe('What subscribers are notified of maintenance', () => {
  it('is that it is planned, from 24 hours before', () => {
    expect(kinds([], [coming(NOW + NOTICE_MS)], NOW)).to.deep.equal(['planned']);
    expect(kinds([], [coming(NOW + NOTICE_MS + 1)], NOW)).to.deep.equal([]);
    expect(kinds([], [coming(NOW - 1)], NOW), 'begun').to.deep.equal(['planned']);
  });

  it('is its end, when it is over, was ended or went while it ran, but not a day later', () => {
    expect(kinds([known(NOW - HOUR_MS + 1)], [], NOW)).to.deep.equal([]);
    expect(kinds([known(NOW - HOUR_MS)], [], NOW)).to.deep.equal(['over']);
    expect(kinds([known(NOW - 10, { endMs: NOW - 5, notifies: true })], [], NOW)).to.deep.equal(['over']);
    expect(decideMaintenanceNotices([known(NOW - 10, null)], [], NOW)[0]).to.deep.include({ kind: 'over', endMs: NOW });
    expect(kinds([known(NOW - 26 * HOUR_MS)], [], NOW)).to.deep.equal(['forgotten']);
  });

  it('is another end', () => {
    const longer = known(NOW, { endMs: NOW + 2 * HOUR_MS, notifies: true });
    expect(decideMaintenanceNotices([longer], [], NOW)).to.deep.equal([
      { kind: 'resized', known: longer, endMs: NOW + 2 * HOUR_MS },
    ]);
  });

  it('is another time, or that it was cancelled', () => {
    const gone = known(NOW + HOUR_MS, null);
    expect(kinds([gone], [], NOW)).to.deep.equal(['cancelled']);
    expect(kinds([gone], [coming(NOW + HOUR_MS, { windowId: 'other' })], NOW)).to.deep.equal(['cancelled', 'planned']);
    expect(decideMaintenanceNotices([gone], [coming(NOW + 2 * HOUR_MS)], NOW)).to.deep.equal([
      { kind: 'moved', known: gone, coming: coming(NOW + 2 * HOUR_MS), isPlanned: true },
    ]);
    expect(decideMaintenanceNotices([gone], [coming(NOW + 100 * HOUR_MS)], NOW)).to.deep.include({
      kind: 'moved',
      known: gone,
      coming: coming(NOW + 100 * HOUR_MS),
      isPlanned: false,
    });
    const next = coming(NOW + 25 * HOUR_MS, { recurs: true });
    expect(kinds([gone], [next], NOW), 'the next of a recurring window').to.deep.equal(['cancelled']);
  });

  it('is nothing where the window does not notify any more', () => {
    expect(kinds([known(NOW + HOUR_MS, { endMs: NOW + 9 * HOUR_MS, notifies: false })], [], NOW)).to.deep.equal([
      'forgotten',
    ]);
  });

  it('names each known and each near time at most once', () => {
    const start = fc.integer({ min: -48, max: 48 }).map((hours) => NOW + hours * HOUR_MS);
    const windowId = fc.constantFrom('a', 'b');
    const now = fc.option(fc.record({ endMs: start, notifies: fc.boolean() }));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ windowId, startMs: start, now }), { selector: (one) => one.windowId + one.startMs }),
        fc.uniqueArray(fc.record({ windowId, startMs: start, recurs: fc.boolean() }), {
          selector: (one) => one.windowId + one.startMs,
        }),
        (before, after) => {
          const knowns = before.map((one) => ({ ...known(one.startMs, one.now), windowId: one.windowId }));
          const comings = after.map(({ startMs, ...more }) => coming(startMs, more));
          const news = decideMaintenanceNotices(knowns, comings, NOW);
          const ofKnown = news.flatMap((one) => ('known' in one ? [one.known] : []));
          const ofComing = news.flatMap((one) => ('coming' in one ? [one.coming] : []));
          expect(new Set(ofKnown).size).to.equal(ofKnown.length);
          expect(new Set(ofComing).size).to.equal(ofComing.length);
          for (const one of comings)
            expect(ofComing.includes(one) || one.startMs > NOW + NOTICE_MS, 'a near one is left out').to.equal(true);
          for (const one of knowns)
            expect(ofKnown.includes(one) || (one.now?.endMs === one.endMs && one.endMs > NOW)).to.equal(true);
        },
      ),
    );
  });
});
