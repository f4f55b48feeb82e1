import { expect } from 'chai';
import fc from 'fast-check';
import { FairTurns, type FairTurn } from './fair-turns.js';

const of = (owner: number) => ({ ownerKey: `owner ${owner}` });

/** The turns that have begun, in their order, by what they were entered with. */
function setUp(atOnce: number, places: number) {
  const turns = new FairTurns(atOnce, places);
  const begun: string[] = [];
  const enter = (owner: number, name: string): FairTurn | null => {
    const turn = turns.enter(of(owner));
    void turn?.begins.then(() => begun.push(name));
    return turn;
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { turns, begun, enter, settle };
}

describe('fair turns', () => {
  it('begin a limited number, of which one owner has a part', async () => {
    const { turns, begun, enter, settle } = setUp(4, 100);
    const crowd = Array.from({ length: 20 }, (_, index) => enter(1, `crowd ${index}`));
    enter(2, 'victim');
    await settle();
    expect(begun).to.deep.equal(['crowd 0', 'crowd 1', 'victim']);
    expect([turns.running, turns.waiting]).to.deep.equal([3, 18]);
    crowd[0]!.leave();
    await settle();
    expect(begun.at(-1)).to.equal('crowd 2');
  });

  it('keep a place for other owners in the queue', () => {
    const { enter } = setUp(4, 32);
    const crowd = Array.from({ length: 40 }, (_, index) => enter(1, `${index}`));
    expect(crowd.filter((turn) => turn !== null)).to.have.lengthOf(16);
    expect(enter(2, 'victim')).to.not.equal(null);
  });

  it('pass over work that has left', async () => {
    const { turns, begun, enter, settle } = setUp(2, 100);
    const first = enter(1, 'first');
    const second = enter(1, 'second');
    enter(1, 'third');
    second!.leave();
    second!.leave();
    first!.leave();
    await settle();
    expect(begun).to.deep.equal(['first', 'second', 'third']);
    expect([turns.running, turns.waiting]).to.deep.equal([1, 0]);
  });

  it('begin all work that does not leave, and never more at once than allowed', async () => {
    const step = fc.record({ owner: fc.nat({ max: 3 }), leaves: fc.option(fc.nat({ max: 30 })) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const turns = new FairTurns(3, 1_000);
        const open = new Set<FairTurn>();
        for (const { owner, leaves } of steps) {
          const turn = turns.enter(of(owner))!;
          open.add(turn);
          const leaving = leaves === null ? undefined : [...open][leaves];
          if (leaving) {
            leaving.leave();
            open.delete(leaving);
          }
          expect(turns.running).to.be.at.most(3);
          expect(turns.running + turns.waiting).to.equal(open.size);
          if (open.size > 0) expect(turns.running).to.be.at.least(1);
        }
        while (open.size > 0) {
          const begun = await Promise.race([...open].map((turn) => turn.begins.then(() => turn)));
          begun.leave();
          open.delete(begun);
        }
        expect([turns.running, turns.waiting]).to.deep.equal([0, 0]);
      }),
    );
  });
});
