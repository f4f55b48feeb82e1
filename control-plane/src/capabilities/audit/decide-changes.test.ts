import { expect } from 'chai';
import fc from 'fast-check';
import { decideChanges, LONGEST_VALUE } from './decide-changes.js';

describe('the changes of an audit entry', () => {
  const thing = fc.dictionary(fc.string(), fc.jsonValue());

  it('hold the fields that differ, down to the fields of objects', () => {
    const before = { id: '1', name: 'A', settings: { timezone: 'UTC', autoClose: true }, tags: ['x'], lastModified: 1 };
    const after = { id: '1', name: 'B', settings: { timezone: 'UTC', autoClose: false }, tags: [], lastModified: 2 };
    expect(decideChanges(before, after)).to.deep.equal({
      name: { from: 'A', to: 'B' },
      'settings.autoClose': { from: true, to: false },
      tags: { from: ['x'], to: [] },
    });
  });

  it('hold all that a new thing has and all that a deleted one had', () => {
    expect(decideChanges(null, { name: 'A', note: null })).to.deep.equal({ name: { from: null, to: 'A' } });
    expect(decideChanges({ name: 'A', note: null }, null)).to.deep.equal({ name: { from: 'A', to: null } });
  });

  it('show masks on both sides where only the secret differs', () => {
    const shown = { headers: { authorization: '***' } };
    expect(decideChanges(shown, shown, ['headers.authorization'])).to.deep.equal({
      'headers.authorization': { from: '***', to: '***' },
    });
    expect(decideChanges({ headers: {} }, shown, ['headers.authorization'])['headers.authorization']).to.deep.equal({
      from: null,
      to: '***',
    });
  });

  it('are none where nothing differs', () => {
    fc.assert(
      fc.property(thing, (value) => {
        expect(decideChanges(value, structuredClone(value))).to.deep.equal({});
      }),
    );
  });

  it('are the same with both sides swapped when the representations are swapped', () => {
    fc.assert(
      fc.property(thing, thing, (before, after) => {
        const forward = Object.entries(decideChanges(before, after));
        const back = forward.map(([field, { from, to }]) => [field, { from: to, to: from }]);
        expect(decideChanges(after, before)).to.deep.equal(Object.fromEntries(back));
      }),
    );
  });

  it('are JSON that a database takes, however long a value is', () => {
    fc.assert(
      fc.property(fc.nat(3), (shift) => {
        const change = decideChanges(null, { body: 'x'.repeat(shift) + '😀'.repeat(LONGEST_VALUE) })['body']!;
        expect((change.to as string).length).to.be.within(LONGEST_VALUE, LONGEST_VALUE + 1);
        expect(JSON.stringify(change.to)).not.to.match(/\\ud[89a-f]/);
      }),
    );
  });
});
