import { FairShare } from '../fair-share.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { TurnQueue } from './turn-queue.js';

const of = (owner: number, site = 0) => ({ ownerKey: `owner ${owner}`, siteKey: `site ${site}` });
const always = () => null;

describe('a turn queue', () => {
  it('serves the owners one after another, however many items one of them has', () => {
    const queue = new TurnQueue<string>();
    for (let item = 0; item < 100; item++) queue.add(of(1), `hostile ${item}`);
    queue.add(of(2), 'victim a');
    queue.add(of(2), 'victim b');
    const order = Array.from({ length: 4 }, () => queue.take(0, always));
    expect(order).to.deep.equal(['hostile 0', 'victim a', 'hostile 1', 'victim b']);
    expect(queue.size).to.equal(98);
  });

  it('serves an owner’s sites one after another', () => {
    const queue = new TurnQueue<string>();
    for (let item = 0; item < 100; item++) queue.add(of(1, 1), 'silent');
    queue.add(of(1, 2), 'other');
    expect([queue.take(0, always), queue.take(0, always)]).to.deep.equal(['silent', 'other']);
  });

  it('passes over an owner or a site that uses its whole share', () => {
    const queue = new TurnQueue<string>();
    queue.add(of(1, 1), 'a');
    queue.add(of(1, 2), 'b');
    queue.add(of(2, 1), 'c');
    expect(queue.take(5, ({ ownerKey }) => (ownerKey === 'owner 1' ? 'owner' : null))).to.equal('c');
    expect(queue.take(5, ({ siteKey }) => (siteKey === 'site 1' ? 'site' : null))).to.equal('b');
    expect(queue.take(5, () => 'full')).to.equal(undefined);
    const seen: [string, number][] = [];
    queue.drop((item, heldAtMs) => seen.push([item, heldAtMs]) > 0);
    expect(seen).to.deep.equal([['a', 5]]);
    expect(queue.size).to.equal(0);
  });

  it('returns every item once, in order for each owner and site', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ owner: fc.nat(3), site: fc.nat(2) }), { maxLength: 300 }), (items) => {
        const queue = new TurnQueue<{ owner: number; site: number; index: number }>();
        const share = new FairShare(1_000);
        items.forEach(({ owner, site }, index) => queue.add(of(owner, site), { owner, site, index }));
        const taken: { owner: number; site: number; index: number }[] = [];
        for (let item = queue.take(0, (of) => share.refusal(of)); item; item = queue.take(0, (of) => share.refusal(of)))
          taken.push(item);
        expect(taken).to.have.length(items.length);
        const seen = new Map<string, number>();
        for (const { owner, site, index } of taken) {
          expect(index).to.be.above(seen.get(`${owner}/${site}`) ?? -1);
          seen.set(`${owner}/${site}`, index);
        }
      }),
    );
  });
});
