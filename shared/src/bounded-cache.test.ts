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

  const step = fc.oneof(
    fc.record({ do: fc.constant('set' as const), key: fc.nat(9), value: fc.nat() }),
    fc.record({ do: fc.constantFrom('get' as const, 'delete' as const), key: fc.nat(9) }),
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
  );

  it('has the entries that were used last, up to its capacity, after any sequence of steps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 200 }), (capacity, steps) => {
        const cache = new BoundedCache<number, number>(capacity);
        let model: [number, number][] = [];
        for (const one of steps) {
          const known = 'key' in one ? model.find(([key]) => key === one.key) : undefined;
          if (one.do === 'clear') model = [];
          else model = model.filter((entry) => entry !== known);
          if (one.do === 'set') model.push([one.key, one.value]);
          if (one.do === 'get' && known) model.push(known);
          model = model.slice(-capacity);
          if (one.do === 'set') cache.set(one.key, one.value);
          else if (one.do === 'get') expect(cache.get(one.key)).to.equal(known?.[1]);
          else if (one.do === 'delete') cache.delete(one.key);
          else cache.clear();
          expect([...cache.entries()]).to.deep.equal(model);
          expect(cache.size).to.equal(model.length);
        }
      }),
    );
  });
});
