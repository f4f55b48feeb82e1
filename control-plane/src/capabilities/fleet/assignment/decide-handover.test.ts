import { checkCode } from '@watchpost/shared/check';
import { expect } from 'chai';
import { decideHandover, type HandoverQuestion, type OwedSince } from './decide-handover.js';
import { candidateOf, ownerOf, type Candidate } from '../members/decide-owner.js';
import type { FormerOwnership, Ownership } from '../members/decide-owner.js';

const NOW = 1_000_000;
const CODES = Array.from({ length: 300 }, (_, index) => checkCode({ monitorKey: index + 1, kind: 'http' }));
const all = (...names: string[]): Candidate[] => names.map((name) => candidateOf(name, ['http']));

/** An epoch that is over: who shared the checks, how long ago it ended, and what each had acknowledged by then. */
function over(epoch: number, names: string[], agoMs: number, gained: Record<string, number> = {}): FormerOwnership {
  const known = new Map(names.map((name) => [name, gained[name] ?? epoch]));
  return { epoch: String(epoch), owners: all(...names), endedAt: NOW - agoMs, takenOverEpochs: known };
}
const now = (epoch: number, names: string[], former: FormerOwnership[]): Ownership => ({
  epoch: String(epoch),
  owners: all(...names),
  former,
});

/** What an agent is told it owes, of all checks that it owns, by who ran them at the first of the former epochs. */
function owed(
  agentId: string,
  ownership: Ownership,
  more: Partial<HandoverQuestion> & { behind?: string[] } = {},
): Record<string, OwedSince[]> {
  const told: Record<string, Set<OwedSince>> = {};
  for (const code of CODES) {
    if (ownerOf(ownership.owners, code) !== agentId) continue;
    const since = decideHandover({
      agentId,
      ownership,
      before: undefined,
      had: new Set(),
      roster: { hasTakenOver: (name) => !more.behind?.includes(name) },
      handOverMs: 5_000,
      nowAt: NOW,
      ...more,
    })(code);
    const first = ownership.former.at(-1);
    (told[(first && ownerOf(first.owners, code)) ?? 'nobody'] ??= new Set()).add(since);
  }
  return Object.fromEntries(Object.entries(told).map(([name, sinces]) => [name, [...sinces]]));
}
const held = (agentId: string, { owners }: Pick<Ownership, 'owners'>) =>
  new Set(CODES.filter((code) => ownerOf(owners, code) === agentId));

describe('what an agent owes of the checks that it is told of', () => {
  it('is nothing from before, of checks of others who stay and go on until they are relieved', () => {
    const before = now(1, ['a', 'b'], []);
    const after = now(2, ['b', 'c'], [over(1, ['a', 'b'], 100)]);
    expect(owed('b', after, { before, had: held('b', before) })).to.deep.equal({ a: ['newest'], b: ['now'] });
    const joined = now(2, ['a', 'b', 'c'], [over(1, ['a', 'b'], 100)]);
    expect(owed('a', joined, { before, had: held('a', before) })).to.deep.equal({ a: ['now'] });
  });

  it('is everything since the last result, of one who is gone, for one who comes at that moment too', () => {
    const after = now(2, ['b', 'c'], [over(1, ['a', 'b'], 100)]);
    expect(owed('c', after)).to.deep.equal({ a: ['newest'], b: ['epoch'] });
  });

  it('is so where it joined before anybody noticed that the one is gone', () => {
    const joined = now(2, ['a', 'b', 'c'], [over(1, ['a', 'b'], 9_000)]);
    const noticed = now(3, ['b', 'c'], [over(2, ['a', 'b', 'c'], 100, { a: 1 }), over(1, ['a', 'b'], 9_000)]);
    const had = held('c', joined);
    expect(owed('c', noticed, { before: joined, had })).to.deep.equal({ a: ['newest'], b: ['now'] });
    const later = now(4, ['b', 'c'], [over(3, ['b', 'c'], 100), ...noticed.former]);
    const has = held('c', noticed);
    expect(owed('c', later, { before: noticed, had: has }), 'once').to.deep.equal({ a: ['now'], b: ['now'] });
  });

  it('is nothing of one who went in good order: it was heard of after it was relieved', () => {
    const joined = now(2, ['a', 'b', 'c'], [over(1, ['a', 'b'], 9_000)]);
    const gone = now(3, ['b', 'c'], [over(2, ['a', 'b', 'c'], 100, { a: 2 }), over(1, ['a', 'b'], 9_000)]);
    const had = held('c', joined);
    const taken = new Set([...held('a', { owners: all('a', 'b') })].filter((code) => had.has(code)));
    for (const code of taken)
      expect(
        decideHandover({
          agentId: 'c',
          ownership: gone,
          before: joined,
          had,
          roster: { hasTakenOver: () => true },
          handOverMs: 5_000,
          nowAt: NOW,
        })(code),
      ).to.equal('now');
  });

  it('is nothing that another ran meanwhile, for one that comes back, and only what that one had really been told of', () => {
    const back = now(3, ['a', 'b'], [over(2, ['b'], 300), over(1, ['a', 'b'], 17_000, { a: 1 })]);
    expect(owed('a', back)).to.deep.equal({ a: ['epoch'] });
    expect(owed('a', back, { behind: ['b'] })).to.deep.equal({ a: ['newest'] });
  });

  it('is what its own last life left, where nobody else had its checks', () => {
    expect(owed('a', now(1, ['a', 'b'], []))).to.deep.equal({ nobody: ['newest'] });
    expect(owed('a', now(1, ['a', 'b'], [over(0, ['b'], 50_000)]))).to.deep.equal({ b: ['newest'] });
  });

  it('begins with the epoch where it took so long to tell that others have let go without being relieved', () => {
    const before = now(1, ['a', 'b'], []);
    const joined = now(2, ['a', 'b', 'c'], [over(1, ['a', 'b'], 4_500)]);
    expect(owed('c', joined, { before })).to.deep.equal({ a: ['epoch'], b: ['epoch'] });
    expect(owed('c', { ...joined, former: [over(1, ['a', 'b'], 3_000)] }, { before })).to.deep.equal({
      a: ['now'],
      b: ['now'],
    });
  });

  it('is nothing of a kind that nobody could run', () => {
    const nobody: FormerOwnership = { ...over(1, [], 100), owners: [candidateOf('b', ['dns'])] };
    expect(owed('a', now(2, ['a', 'b'], [nobody]))).to.deep.equal({ nobody: ['now'] });
  });
});
