import { expect } from 'chai';
import fc from 'fast-check';
import type { Region } from '@watchpost/shared/region';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { decideDnsChanges } from './decide-dns-changes.js';
import { dedupeDnsNotice, dedupeExpiryNotice, type NoticeMemory } from './dedupe-notice.js';

const NOW = Date.UTC(2026, 10, 21);

describe('Notices', () => {
  it('of an expiring certificate are sent once per threshold, in any order of checks', () => {
    const observation = fc.record({
      fingerprint: fc.constantFrom('AA', 'BB'),
      daysLeft: fc.integer({ min: -3, max: 40 }),
    });
    const thresholds = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 40 }), thresholds, (observations, wanted) => {
        let memory: NoticeMemory = {};
        const sent: Record<string, number[]> = { AA: [], BB: [] };
        const smallest: Record<string, number> = {};
        for (const { fingerprint, daysLeft } of observations) {
          const certificate = { fingerprint, daysLeft, validFromMs: NOW - 398 * DAY_MS, validToMs: NOW };
          const first = dedupeExpiryNotice(memory, certificate, wanted);
          const again = dedupeExpiryNotice(first.memory, certificate, wanted);
          expect(again, 'sent twice').to.deep.equal({ memory: first.memory, thresholdDays: null });
          memory = first.memory;
          if (first.thresholdDays !== null) sent[fingerprint]!.push(first.thresholdDays);
          smallest[fingerprint] = Math.min(smallest[fingerprint] ?? Infinity, daysLeft);
        }
        for (const [fingerprint, days] of Object.entries(sent)) {
          expect(days).to.deep.equal([...new Set(days)].toSorted((a, b) => b - a));
          const crossed = wanted.filter((threshold) => (smallest[fingerprint] ?? Infinity) <= threshold);
          expect(days.at(-1) ?? null).to.equal(crossed.length === 0 ? null : Math.min(...crossed));
        }
      }),
    );
  });

  it('of an expiring certificate are sent at thresholds of up to a third of its lifetime', () => {
    for (const [lifetimeDays, expected] of [
      [90, [14, 7, 3, 1]],
      [45, [14, 7, 3, 1]],
      [30, [7, 3, 1]],
      [160 / 24, [1]],
      [2, []],
    ] as const) {
      let memory: NoticeMemory = {};
      const sent: number[] = [];
      for (let daysLeft = Math.floor(lifetimeDays); daysLeft >= -1; daysLeft--) {
        const certificate = { fingerprint: 'AA', daysLeft, validFromMs: NOW - lifetimeDays * DAY_MS, validToMs: NOW };
        const notice = dedupeExpiryNotice(memory, certificate, [14, 7, 3, 1]);
        memory = notice.memory;
        if (notice.thresholdDays !== null) sent.push(notice.thresholdDays);
      }
      expect(sent, `${lifetimeDays} days`).to.deep.equal(expected);
    }
  });

  it('are remembered for the certificates that expire last, up to a limit', () => {
    let memory: NoticeMemory = {};
    for (let index = 0; index < 100; index++)
      memory = dedupeExpiryNotice(
        memory,
        { fingerprint: `F${index}`, daysLeft: 1, validFromMs: 0, validToMs: NOW + index },
        [7],
      ).memory;
    const kept = Object.keys(memory.certificates!);
    expect(kept).to.have.length(32);
    expect(kept).to.include.members(['F99', 'F90']);
  });

  it('of a DNS change are as many as in the region that observes it most often', () => {
    const flips = fc.array(fc.constantFrom<Region>('northeurope', 'eastus2', 'westus3'), { maxLength: 30 });
    fc.assert(
      fc.property(flips, (regions) => {
        const changes = [{ type: 'A' as const, added: ['203.0.113.9'], removed: [] }];
        let memory: NoticeMemory = {};
        let sent = 0;
        const seen = new Map<Region, number>();
        for (const region of regions) {
          const notice = dedupeDnsNotice(memory, { region, changes }, NOW);
          memory = notice.memory;
          if (notice.changes.length > 0) sent++;
          seen.set(region, (seen.get(region) ?? 0) + 1);
        }
        expect(sent).to.equal(Math.max(0, ...seen.values()));
      }),
    );
  });

  it('of a DNS change are sent again if another region observes it only days later', () => {
    const changes = [{ type: 'A' as const, added: ['203.0.113.9'], removed: [] }];
    const { memory } = dedupeDnsNotice({}, { region: 'northeurope', changes }, NOW);
    const later = (hours: number) =>
      dedupeDnsNotice(memory, { region: 'eastus2', changes }, NOW + hours * HOUR_MS).changes;
    expect([later(23), later(25)]).to.deep.equal([[], changes]);
  });
});

describe('A notice of a DNS change', () => {
  it('has the values that no other region has reported within a day, each by itself', () => {
    const change = (added: string[], removed: string[] = []) => [{ type: 'A' as const, added, removed }];
    const { memory } = dedupeDnsNotice({}, { region: 'northeurope', changes: change(['a', 'b'], ['c']) }, NOW);
    const other = { region: 'eastus2' as const, changes: change(['a', 'c'], ['c']) };
    expect(dedupeDnsNotice(memory, other, NOW + HOUR_MS).changes).to.deep.equal(change(['c']));
    expect(memory.dns).to.have.length(3);
  });
});

describe('decideDnsChanges', () => {
  const values = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'));

  it('yields what turns the former answer into the new one, and nothing exactly if they are equal', () => {
    fc.assert(
      fc.property(values, values, (before, after) => {
        const [change] = decideDnsChanges({ A: before }, { A: after.toReversed() });
        const { added, removed } = change ?? { added: [] as string[], removed: [] as string[] };
        const made = before.filter((value) => !removed.includes(value)).concat(added);
        expect(made.toSorted()).to.deep.equal(after.toSorted());
        expect(change === undefined).to.equal(before.toSorted().join() === after.toSorted().join());
        const back = decideDnsChanges({ A: after }, { A: before })[0];
        expect(back && { added: back.removed, removed: back.added }).to.deep.equal(change && { added, removed });
      }),
    );
  });

  it('leaves out record types that were not queried both times', () => {
    expect(decideDnsChanges({ A: ['x'] }, { A: ['x'], TXT: ['y'] })).to.deep.equal([]);
    expect(decideDnsChanges({ A: ['x'], TXT: [] }, { TXT: ['y'] })).to.deep.equal([
      { type: 'TXT', added: ['y'], removed: [] },
    ]);
  });
});
