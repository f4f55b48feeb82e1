import { expect } from 'chai';
import fc from 'fast-check';
import { mergePatch } from './merge-patch.js';

/** Lists are taken as they stand, nulls and all. */
function hasNullMember(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).some((member) => member === null || hasNullMember(member));
}

describe('mergePatch', () => {
  it('does what the table of RFC 7396, appendix A, shows', () => {
    const table: [unknown, unknown, unknown][] = [
      [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
      [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
      [{ a: 'b' }, { a: null }, {}],
      [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
      [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
      [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
      [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
      [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
      [
        ['a', 'b'],
        ['c', 'd'],
        ['c', 'd'],
      ],
      [{ a: 'b' }, ['c'], ['c']],
      [{ a: 'foo' }, null, null],
      [{ a: 'foo' }, 'bar', 'bar'],
      [{ e: null }, { a: 1 }, { e: null, a: 1 }],
      [[1, 2], { a: 'b', c: null }, { a: 'b' }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ];
    for (const [target, patch, result] of table) expect(mergePatch(target, patch)).to.deep.equal(result);
  });

  const json = fc.jsonValue({ maxDepth: 4 });

  it('applied twice is applied once', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).to.deep.equal(once);
      }),
    );
  });

  it('leaves no null of the patch, nor changes its arguments', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        mergePatch(target, patch);
        expect(JSON.stringify([target, patch])).to.equal(before);
        expect(hasNullMember(mergePatch({}, { patched: patch }))).to.equal(false);
      }),
    );
  });

  it('turns one document into any other that has no nulls', () => {
    const noNulls = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.integer(), fc.dictionary(fc.string(), fc.string())),
    );
    fc.assert(
      fc.property(noNulls, noNulls, (from, to) => {
        const gone = (a: Record<string, unknown>, b: Record<string, unknown>): Record<string, unknown> =>
          Object.fromEntries([
            ...Object.keys(a)
              .filter((key) => !Object.hasOwn(b, key))
              .map((key) => [key, null] as const),
            ...Object.entries(b).map(([key, value]) => {
              const before = Object.hasOwn(a, key) ? a[key] : undefined;
              const both = typeof value === 'object' && typeof before === 'object';
              return [
                key,
                both ? gone(before as Record<string, unknown>, value as Record<string, unknown>) : value,
              ] as const;
            }),
          ]);
        expect(mergePatch(from, gone(from, to))).to.deep.equal(to);
      }),
    );
  });

  it('never reaches a prototype', () => {
    const patched = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}')) as { polluted?: boolean };
    expect([patched.polluted, ({} as { polluted?: boolean }).polluted]).to.deep.equal([undefined, undefined]);
  });
});
