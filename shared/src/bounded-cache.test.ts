import { expect } from 'chai';
import fc from 'fast-check';
import { BoundedCache } from './bounded-cache.js';

describe('a bounded cache', () => {
  it('evicts the least recently used entry, and no other', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).to.deep.equal([1, undefined, 3]);
  });

  it('never exceeds its capacity, and returns the last value set', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer())),
        (capacity, writes) => {
          const cache = new BoundedCache<number, number>(capacity);
          const last = new Map<number, number>();
          for (const [key, value] of writes) {
            cache.set(key, value);
            last.set(key, value);
            expect(cache.size).to.be.at.most(capacity);
            expect(cache.get(key)).to.equal(value);
          }
          for (const [key, value] of last) expect(cache.get(key) ?? value).to.equal(value);
        },
      ),
    );
  });
});
