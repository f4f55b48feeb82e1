import { expect } from 'chai';
import fc from 'fast-check';
import { decidePrimary, isOutdated, isPrimaryFound, type ServerHistory } from './server-history.js';

const history = fc.option(
  fc.record({ cluster: fc.constantFrom('a', 'b'), timeline: fc.integer({ min: 1, max: 4 }) }),
) as fc.Arbitrary<ServerHistory | null>;
const state = fc.option(fc.record({ isWritable: fc.boolean(), history }));

describe('The primary of several servers', () => {
  it('accepts writes, and is of no older timeline than one that is known or that another one has', () => {
    fc.assert(
      fc.property(fc.array(state, { maxLength: 4 }), fc.option(fc.nat(3)), history, (states, current, known) => {
        const chosen = decidePrimary(states, current, known);
        const usable = states.filter((one) => one?.isWritable && !isOutdated(one.history, known));
        if (usable.length === 0) return chosen === null;
        const found = states[chosen!]!;
        expect(usable).to.include(found);
        if (usable.every((one) => one!.history?.cluster === 'a'))
          for (const other of usable) expect(isOutdated(found.history, other!.history)).to.equal(false);
        return true;
      }),
    );
  });

  it('stays the same while both are as good, and else is the first', () => {
    const writable = { isWritable: true, history: { cluster: 'a', timeline: 1 } };
    expect(decidePrimary([writable, writable], 1, null)).to.equal(1);
    expect(decidePrimary([writable, writable], null, null)).to.equal(0);
    expect(decidePrimary([null, writable], 0, null)).to.equal(1);
    expect(decidePrimary([null, { ...writable, isWritable: false }], 0, null)).to.equal(null);
  });

  it('is found without the answers of the others, unless the one in use may only be slow', () => {
    const on = (timeline: number) => ({ isWritable: true, history: { cluster: 'a', timeline } });
    const known = on(5).history;
    expect(isPrimaryFound([null, on(5)], null, null)).to.equal(true);
    expect(isPrimaryFound([null, on(5)], 1, known)).to.equal(true);
    expect(isPrimaryFound([null, on(6)], 0, known)).to.equal(true);
    expect(isPrimaryFound([null, on(5)], 0, known)).to.equal(false);
    expect(isPrimaryFound([null, { isWritable: true, history: null }], 0, known)).to.equal(false);
    expect(isPrimaryFound([null, { ...on(6), isWritable: false }], 0, known)).to.equal(false);
  });
});
