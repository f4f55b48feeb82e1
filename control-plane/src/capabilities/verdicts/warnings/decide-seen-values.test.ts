import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS } from '@watchpost/shared/time';
import { decideSeenValues, type Answered, type SeenValues } from './decide-seen-values.js';

const NOW = Date.UTC(2026, 10, 28);
type Known = Parameters<typeof decideSeenValues>[0];

/** Applies answers in order. What is remembered goes through JSON each time, as through the database. */
function run(answers: readonly { atMs: number; after: Answered }[]) {
  let before: Known | null = null;
  return answers.map(({ atMs, after }) => {
    const decided = before ? decideSeenValues(before, after, atMs) : { changes: [], seen: null };
    before = { records: after.records, atMs, seen: JSON.parse(JSON.stringify(decided.seen)) as SeenValues | null };
    return decided;
  });
}

const each = (minutes: number, lists: readonly (readonly string[] | null)[]) =>
  lists.map((list, index) => ({
    atMs: NOW + index * minutes * MINUTE_MS,
    after: list === null ? { records: {}, failures: { A: 'SERVFAIL' } } : { records: { A: [...list] } },
  }));
const changesOf = (minutes: number, lists: readonly (readonly string[] | null)[]) =>
  run(each(minutes, lists)).map(({ changes: [change] }) => change && [change.added, change.removed]);

const times = (count: number, list: readonly string[]) => Array.from({ length: count }, () => list);

const POOL = ['a', 'b', 'c', 'd', 'e', 'f', '__proto__'];
const subset = fc.subarray(POOL);

describe('The values of a name', () => {
  it('change nothing while its answers are the same', () => {
    fc.assert(
      fc.property(subset, fc.integer({ min: 2, max: 40 }), (list, count) => {
        const decided = run(each(60, times(count, list)));
        for (const one of decided) expect(one).to.deep.equal({ changes: [], seen: null });
      }),
    );
  });

  it('are added once each and removed once at most while answers take turns, for a day', () => {
    fc.assert(
      fc.property(fc.array(subset, { minLength: 1, maxLength: 90 }), (lists) => {
        const seen = new Set(lists[0]);
        const removed = new Set<string>();
        changesOf(15, lists).forEach((change, index) => {
          const news = lists[index]!.filter((value) => !seen.has(value)).toSorted();
          expect(change?.[0] ?? []).to.deep.equal(news);
          for (const value of news) seen.add(value);
          for (const value of change?.[1] ?? []) {
            expect(removed.has(value), `${value} is removed again`).to.equal(false);
            removed.add(value);
            for (const list of lists.slice(index - 9, index + 1)) expect(list).not.to.include(value);
          }
        });
      }),
    );
  });

  it('are removed by the tenth answer in a row without them, and by none before', () => {
    const gone = (missing: number) => changesOf(1, [['a', 'b'], ...times(missing, ['a'])]);
    expect(gone(9).filter(Boolean)).to.deep.equal([]);
    expect(gone(10).at(-1)).to.deep.equal([[], ['b']]);
    expect(gone(40).filter(Boolean)).to.have.length(1);
    const interrupted = [['a', 'b'], ...times(9, ['a']), ['a', 'b'], ...times(9, ['a'])];
    expect(changesOf(1, interrupted).filter(Boolean)).to.deep.equal([]);
    expect(changesOf(1, [...interrupted, ['a']]).at(-1)).to.deep.equal([[], ['b']]);
  });

  it('that come back within a day of when they were last seen are no addition, and are one later', () => {
    const back = (hours: number) => changesOf(60, [['a', 'b'], ...times(hours - 1, ['a']), ['a', 'b']]);
    expect(back(24).at(-1)).to.equal(undefined);
    expect(back(25).at(-1)).to.deep.equal([['b'], []]);
    expect(back(25).filter(Boolean)).to.deep.equal([
      [[], ['b']],
      [['b'], []],
    ]);
  });

  it('that are removed, come back and stay for a day can be removed anew', () => {
    const [without, with_] = [times(10, ['a']), times(26, ['a', 'b'])];
    const changes = changesOf(60, [['a', 'b'], ...without, ...with_, ...without]).filter(Boolean);
    expect(changes).to.deep.equal([
      [[], ['b']],
      [[], ['b']],
    ]);
  });

  it('that are removed, come back for an hour and are gone for good are removed anew a day later', () => {
    const lists = [['a', 'b'], ...times(15, ['a']), ...times(60, ['a', 'b']), ...times(2 * 1_440, ['a'])];
    const changes = changesOf(1, lists).flatMap((change, index) => (change ? [[index, ...change]] : []));
    expect(changes).to.deep.equal([
      [10, [], ['b']],
      [75 + 1_441, [], ['b']],
    ]);
  });

  it('are not affected by answers that fail, however many', () => {
    fc.assert(
      fc.property(fc.array(fc.option(subset), { minLength: 1, maxLength: 40 }), (rest) => {
        const lists = [['a'], ...rest];
        const good = lists.filter((list) => list !== null);
        expect(changesOf(5, lists).filter((_, index) => lists[index] !== null)).to.deep.equal(changesOf(5, good));
      }),
    );
  });

  it('of a type that was not queried are forgotten, and its first answer is no change', () => {
    const decided = run([
      { atMs: NOW, after: { records: { A: ['a'], TXT: ['x'] } } },
      { atMs: NOW + 1, after: { records: { A: ['a'] } } },
      { atMs: NOW + 2, after: { records: { A: ['a'], TXT: ['y'], MX: ['m'] } } },
    ]);
    expect(decided.flatMap(({ changes }) => changes)).to.deep.equal([]);
  });

  it('are remembered up to a limit of values and characters, those seen last', () => {
    for (const [length, most] of [
      [1, 256],
      [1_000, 32],
    ] as const) {
      const name = (index: number) => `${index} ${'x'.repeat(length)}`;
      const lists = Array.from({ length: 80 }, (_, index) =>
        Array.from({ length: 40 }, (__, place) => name(40 * index + place)),
      );
      const decided = run(each(1, lists)).map(({ seen }) => seen?.values ?? []);
      for (const values of decided) expect(values).to.have.length.at.most(most);
      const last = decided.at(-1)!;
      expect(last.length).to.be.within(most - 2, most);
      expect(last.every(({ seenMs }) => seenMs >= NOW + 70 * MINUTE_MS)).to.equal(true);
    }
  });

  it('are forgotten a day after they were last seen', () => {
    const lists = [['a', 'b', 'c'], ...times(30, ['a'])];
    const decided = run(each(60, lists));
    expect(decided[24]!.seen?.values).to.have.length(2);
    expect(decided[25]!.seen).to.equal(null);
  });
});
