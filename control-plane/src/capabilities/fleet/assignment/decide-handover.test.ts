import { checkCode } from '@watchpost/shared/check';
import { expect } from 'chai';
import { candidateOf, ownerOf, type Candidate, type FormerOwnership, type Ownership } from '../members/decide-owner.js';
import { decideHandover, type HandoverFacts, type HandoverStart } from './decide-handover.js';

const NOW = 1_000_000;
const CODES = Array.from({ length: 300 }, (_, index) => checkCode({ monitorKey: index + 1, kind: 'http' }));
const all = (...names: string[]): Candidate[] => names.map((name) => candidateOf(name, ['http']));

/**
 * An ownership whose epoch is over.
 * @param takenOver the newest epoch that each owner had taken over by then; by default this one
 */
function over(epoch: number, names: string[], agoMs: number, takenOver: Record<string, number> = {}): FormerOwnership {
  const takenOverEpochs = new Map(names.map((name) => [name, takenOver[name] ?? epoch]));
  return { epoch: String(epoch), owners: all(...names), endedAt: NOW - agoMs, takenOverEpochs };
}
const now = (epoch: number, names: string[], former: FormerOwnership[]): Ownership => ({
  epoch: String(epoch),
  owners: all(...names),
  former,
});

/**
 * The starts that are decided for all checks that an agent owns, by the owner of each check in the oldest former epoch.
 * @param more `behind` names agents that have not taken over all their checks
 */
function startsOf(
  agentId: string,
  ownership: Ownership,
  more: Partial<HandoverFacts> & { behind?: string[] } = {},
): Record<string, HandoverStart[]> {
  const starts: Record<string, Set<HandoverStart>> = {};
  for (const code of CODES) {
    if (ownerOf(ownership.owners, code) !== agentId) continue;
    const start = decideHandover({
      agentId,
      ownership,
      before: undefined,
      assigned: new Set(),
      roster: { hasTakenOver: (name) => !more.behind?.includes(name) },
      handoverMs: 5_000,
      nowAt: NOW,
      ...more,
    })(code);
    const first = ownership.former.at(-1);
    (starts[(first && ownerOf(first.owners, code)) ?? 'none'] ??= new Set()).add(start);
  }
  return Object.fromEntries(Object.entries(starts).map(([name, set]) => [name, [...set]]));
}
const ownedBy = (agentId: string, { owners }: Pick<Ownership, 'owners'>) =>
  new Set(CODES.filter((code) => ownerOf(owners, code) === agentId));

describe('the handover of a check', () => {
  it('starts now if the former owner stays and runs the check until it is taken over', () => {
    const before = now(1, ['a', 'b'], []);
    const after = now(2, ['b', 'c'], [over(1, ['a', 'b'], 100)]);
    expect(startsOf('b', after, { before, assigned: ownedBy('b', before) })).to.deep.equal({
      a: ['newestResult'],
      b: ['now'],
    });
    const joined = now(2, ['a', 'b', 'c'], [over(1, ['a', 'b'], 100)]);
    expect(startsOf('a', joined, { before, assigned: ownedBy('a', before) })).to.deep.equal({ a: ['now'] });
  });

  it('starts at the newest result if the former owner is gone, also for an agent that joins at that moment', () => {
    const after = now(2, ['b', 'c'], [over(1, ['a', 'b'], 100)]);
    expect(startsOf('c', after)).to.deep.equal({ a: ['newestResult'], b: ['epochStart'] });
  });

  it('starts at the newest result if the former owner was gone before its loss was noticed, and only once', () => {
    const joined = now(2, ['a', 'b', 'c'], [over(1, ['a', 'b'], 9_000)]);
    const noticed = now(3, ['b', 'c'], [over(2, ['a', 'b', 'c'], 100, { a: 1 }), over(1, ['a', 'b'], 9_000)]);
    const assigned = ownedBy('c', joined);
    expect(startsOf('c', noticed, { before: joined, assigned })).to.deep.equal({ a: ['newestResult'], b: ['now'] });
    const later = now(4, ['b', 'c'], [over(3, ['b', 'c'], 100), ...noticed.former]);
    const assignedLater = ownedBy('c', noticed);
    expect(startsOf('c', later, { before: noticed, assigned: assignedLater }), 'once').to.deep.equal({
      a: ['now'],
      b: ['now'],
    });
  });

  it('starts now if the former owner left after it had acknowledged the takeover', () => {
    const joined = now(2, ['a', 'b', 'c'], [over(1, ['a', 'b'], 9_000)]);
    const gone = now(3, ['b', 'c'], [over(2, ['a', 'b', 'c'], 100, { a: 2 }), over(1, ['a', 'b'], 9_000)]);
    const assigned = ownedBy('c', joined);
    const taken = new Set([...ownedBy('a', { owners: all('a', 'b') })].filter((code) => assigned.has(code)));
    for (const code of taken)
      expect(
        decideHandover({
          agentId: 'c',
          ownership: gone,
          before: joined,
          assigned,
          roster: { hasTakenOver: () => true },
          handoverMs: 5_000,
          nowAt: NOW,
        })(code),
      ).to.equal('now');
  });

  it('starts with the epoch for a returning agent, if the owner meanwhile had really taken over the check', () => {
    const back = now(3, ['a', 'b'], [over(2, ['b'], 300), over(1, ['a', 'b'], 17_000, { a: 1 })]);
    expect(startsOf('a', back)).to.deep.equal({ a: ['epochStart'] });
    expect(startsOf('a', back, { behind: ['b'] })).to.deep.equal({ a: ['newestResult'] });
  });

  it('starts at the newest result if no other agent had the check since the agent last ran', () => {
    expect(startsOf('a', now(1, ['a', 'b'], []))).to.deep.equal({ none: ['newestResult'] });
    expect(startsOf('a', now(1, ['a', 'b'], [over(0, ['b'], 50_000)]))).to.deep.equal({ b: ['newestResult'] });
  });

  it('starts with the epoch if the former owner may have released the check after the handover time', () => {
    const before = now(1, ['a', 'b'], []);
    const joined = now(2, ['a', 'b', 'c'], [over(1, ['a', 'b'], 4_500)]);
    expect(startsOf('c', joined, { before })).to.deep.equal({ a: ['epochStart'], b: ['epochStart'] });
    expect(startsOf('c', { ...joined, former: [over(1, ['a', 'b'], 3_000)] }, { before })).to.deep.equal({
      a: ['now'],
      b: ['now'],
    });
  });

  it('starts now for a kind of check that no former owner could run', () => {
    const dnsOnly: FormerOwnership = { ...over(1, [], 100), owners: [candidateOf('b', ['dns'])] };
    expect(startsOf('a', now(2, ['a', 'b'], [dnsOnly]))).to.deep.equal({ none: ['now'] });
  });
});
