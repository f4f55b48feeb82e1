import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { decideFieldChanges } from './decide-changes.js';
import { mergeDefaults } from './desired-objects.js';
import { documentPath, withIds, withKeys } from './sections.js';

const json = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 })) as fc.Arbitrary<
  Record<string, unknown>
>;

describe('the comparison of an object with a document', () => {
  it('finds nothing between equals, and every field that differs', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const secrets = {};
        expect(decideFieldChanges({ fields: one, secrets }, { fields: structuredClone(one), secrets })).to.deep.equal(
          {},
        );
        const changes = decideFieldChanges({ fields: one, secrets }, { fields: other, secrets });
        const differs = !isDeepStrictEqual(withoutNulls(one), withoutNulls(other));
        expect(Object.keys(changes).length > 0).to.equal(differs);
      }),
    );
  });

  it('names fields by their path, lists as a whole, and never shows a secret', () => {
    const fields = { url: 'a', http: { body: null, headers: { A: '***' } }, tags: ['x'] };
    expect(
      decideFieldChanges(
        { fields, secrets: { 'http.headers.A': 'one' } },
        { fields: { ...fields, http: { ...fields.http, body: 'b' }, tags: [] }, secrets: { 'http.headers.A': 'two' } },
      ),
    ).to.deep.equal({
      'http.body': { from: null, to: 'b' },
      tags: { from: ['x'], to: [] },
      'http.headers.A': { from: '***', to: '***' },
    });
  });
});

describe('references by key', () => {
  it('become ids at any depth, and keys again; names of headers are none', () => {
    const fields = {
      serviceGroup: 'shop',
      groups: [{ systems: [{ monitor: 'a', serviceGroup: null }] }],
      headers: { monitor: 'x' },
    };
    const ids = withIds(fields, (section, key) => `${section}/${String(key)}`);
    expect(ids).to.deep.equal({
      serviceGroupId: 'serviceGroups/shop',
      groups: [{ systems: [{ monitorId: 'monitors/a', serviceGroupId: null }] }],
      headers: { monitor: 'x' },
    });
    expect(withKeys(ids, (_, id) => id.split('/')[1]!)).to.deep.equal(fields);
    expect(documentPath('groups.0.systems.1.monitorId')).to.equal('groups.0.systems.1.monitor');
  });
});

describe('defaults', () => {
  it('lie under the fields of an object: objects merged, lists replaced', () => {
    expect(
      mergeDefaults({ tags: ['a'], http: { method: 'GET', body: null } }, { tags: [], http: { method: 'HEAD' } }),
    ).to.deep.equal({
      tags: [],
      http: { method: 'HEAD', body: null },
    });
  });
});

/** A field that is null is like one that is not there. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutNulls(each)]));
}
