import { expect } from 'chai';
import fc from 'fast-check';
import { FairShare, type HeldSlot, type Tenancy } from './fair-share.js';

const of = (owner: number, site = 0): Tenancy => ({
  ownerKey: `owner ${owner}`,
  siteKey: site === 0 ? '' : `site ${site}`,
});

function takeAll(share: FairShare, tenancy: Tenancy): number {
  let taken = 0;
  while (share.refusal(tenancy) === null) {
    share.take(tenancy);
    taken++;
  }
  return taken;
}

describe('a fair share of slots', () => {
  it('gives one busy owner half, and n busy owners 1/(n+1) each', () => {
    const share = new FairShare(1_000);
    expect(takeAll(share, of(1))).to.equal(500);
    expect(share.refusal(of(1))).to.equal('owner');
    const turns = new FairShare(1_000);
    for (let round = 0; round < 1_000; round++)
      for (const owner of [1, 2, 3, 4]) if (turns.refusal(of(owner)) === null) turns.take(of(owner));
    expect([1, 2, 3, 4].map((owner) => turns.heldBy(of(owner)))).to.deep.equal([200, 200, 200, 200]);
  });

  it('leaves a slot for another owner, whatever the owners before it do', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 500 }),
        fc.array(fc.record({ owner: fc.integer({ min: 1, max: 8 }), site: fc.integer({ min: 0, max: 3 }) }), {
          maxLength: 1_000,
        }),
        (capacity, wishes) => {
          const share = new FairShare(capacity);
          for (const { owner, site } of wishes)
            if (share.refusal(of(owner, site)) === null) share.take(of(owner, site));
          expect(share.refusal(of(99, 1))).to.equal(null);
          expect(capacity - share.held).to.be.at.least(Math.floor(capacity / 9) - 1);
        },
      ),
    );
  });

  it('reserves half of an owner’s share for its other sites', () => {
    const share = new FairShare(900);
    expect(takeAll(share, of(1, 7))).to.equal(300);
    expect(share.refusal(of(1, 7))).to.equal('site');
    expect(share.refusal(of(1, 8))).to.equal(null);
  });

  it('limits one site over all owners, and locks no owner out of it', () => {
    const share = new FairShare(1_000);
    for (let owner = 1; owner <= 20; owner++) takeAll(share, of(owner, 7));
    expect(share.held).to.be.below(450);
    expect(share.refusal(of(99, 7))).to.equal(null);
    expect(share.refusal(of(99, 8))).to.equal(null);
  });

  it('does not report an owner with less than an equal share', () => {
    const share = new FairShare(10);
    for (let owner = 1; owner <= 9; owner++) share.take(of(owner));
    expect(share.refusal(of(1))).to.equal('owner');
    share.take(of(10));
    expect(share.refusal(of(11))).to.equal('full');
    const busy = new FairShare(100);
    for (let slot = 0; slot < 90; slot++) busy.take(of(1));
    for (let slot = 0; slot < 10; slot++) busy.take(of(2));
    expect(busy.refusal(of(2))).to.equal('full');
  });

  it('respects a reserve', () => {
    const share = new FairShare(30);
    let taken = 0;
    for (let owner = 1; share.refusal(of(owner), 10) === null; owner++, taken++) share.take(of(owner));
    expect(taken).to.equal(20);
    expect(share.refusal(of(99))).to.equal(null);
  });

  it('has every slot again after all are given back, and forgets the owners', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ owner: fc.nat(5), site: fc.nat(5) }), { maxLength: 200 }), (wishes) => {
        const share = new FairShare(1_000);
        const slots: HeldSlot[] = wishes.map(({ owner, site }) => share.take(of(owner, site)));
        expect(share.held).to.equal(wishes.length);
        for (const slot of slots.toReversed()) share.giveBack(slot);
        expect(share.held).to.equal(0);
        for (const { owner } of wishes) expect(share.heldBy(of(owner))).to.equal(0);
        expect(takeAll(share, of(1))).to.equal(500);
      }),
    );
  });
});
