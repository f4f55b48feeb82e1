import { expect } from 'chai';
import fc from 'fast-check';
import { Fault } from '@watchpost/shared/fault';
import { canonicalJson } from '@watchpost/shared/canonical-json';
import { entityTag, noneMatchHolds, requirePrecondition } from './entity-tag.js';

describe('entity tags', () => {
  it('are the same for the same content, in whatever order its keys stand', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const shuffled = Object.fromEntries(Object.entries(object).toReversed());
        expect(entityTag(shuffled)).to.equal(entityTag(object));
        expect(JSON.parse(canonicalJson(object))).to.deep.equal(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  it('take what JSON takes: dates as text, nothing for undefined', () => {
    expect(canonicalJson({ b: undefined, a: new Date(0), c: [undefined] })).to.equal(
      '{"a":"1970-01-01T00:00:00.000Z","c":[null]}',
    );
  });

  it('are found among others, weak ones only for reading', () => {
    const tag = entityTag({ a: 1 });
    for (const header of [tag, `W/${tag}`, `"x" , ${tag}`, '*', `"a,b",${tag}`])
      expect(noneMatchHolds(header, tag)).to.equal(true);
    for (const header of ['"x"', tag.slice(1, -1), '', `"x${tag.slice(1)}`])
      expect(noneMatchHolds(header, tag)).to.equal(false);
  });

  it('guard writes', () => {
    const current = { a: 1 };
    const check =
      (headers: Parameters<typeof requirePrecondition>[0], resource: unknown = current) =>
      () =>
        requirePrecondition(headers, resource);
    expect(check({})).to.not.throw();
    expect(check({ 'if-match': entityTag(current) })).to.not.throw();
    expect(check({ 'if-match': '*' })).to.not.throw();
    expect(check({ 'if-match': '*' }, null)).to.throw(Fault);
    expect(check({ 'if-match': `W/${entityTag(current)}` })).to.throw(Fault);
    expect(check({ 'if-none-match': '*' })).to.throw(Fault);
    expect(check({ 'if-none-match': '*' }, null)).to.not.throw();
  });
});
