import { expect } from 'chai';
import fc from 'fast-check';
import { isSameJson, parseExactJson, roundedNumber, type ExactJson } from './exact-json.js';
import { Decimal } from './exact-number.js';
import { sourceAt } from './json-source.js';
import { TooMuchWork, Work } from './work.js';

const parse = (json: string) => parseExactJson(json, new Work());

/** JSON whose numbers may be long, and texts that look like such a document. */
const long = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
    fc.constantFrom('', '.0', '.1234567890123456789', 'e7', 'E-400', 'e999999999', '.5e-5', 'e+400'),
  )
  .map(([whole, rest]) => new Decimal(`${whole}${rest}`));
const { document } = fc.letrec<{ document: ExactJson; list: ExactJson; object: ExactJson }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small' },
    long,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    fc.string(),
    fc.constantFrom('{"a":12345678901234567890}', '\\"12345678901234567890', '\\\\', '12345678901234567890'),
    fc.constantFrom(null, true),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('document'), { maxLength: 4 }) as fc.Arbitrary<ExactJson>,
  object: fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    tie('document'),
    { maxKeys: 4, noNullPrototype: true },
  ) as fc.Arbitrary<ExactJson>,
}));

function written(value: ExactJson): string {
  if (value instanceof Decimal) return String(value);
  if (Array.isArray(value)) return `[ ${value.map(written).join(' , ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)} : ${written(entry)}`);
  return `{${fields.join(',')}}`;
}

describe('exact JSON', () => {
  it('has every number as it was written, and everything else as JSON.parse has it', () => {
    fc.assert(
      fc.property(document, (value) => {
        expect(isSameJson(parse(written(value)), value, () => {})).to.equal(true);
      }),
    );
  });

  it('has the source of each of its values', () => {
    const check = (json: string, value: unknown, place: (string | number)[]): void => {
      expect(JSON.parse(sourceAt(json, place))).to.deep.equal(value);
      if (Array.isArray(value)) for (const [index, each] of value.entries()) check(json, each, [...place, index]);
      else if (typeof value === 'object' && value !== null)
        for (const [name, each] of Object.entries(value)) check(json, each, [...place, name]);
    };
    fc.assert(
      fc.property(document, (value) => {
        const json = ` ${written(value)} `;
        check(json, JSON.parse(json), []);
      }),
    );
  });

  it('refuses what is no JSON', () => {
    for (const text of ['', '{', '[1,]', '12345678901234567890x', '"12345678901234567890', '{"a":01234567890123456}'])
      expect(() => parse(text), text).to.throw(SyntaxError);
  });

  it('compares numbers by their values, and never takes a text for a number', () => {
    const isSame = (a: string, b: string) => isSameJson(parse(a), parse(b), () => {});
    expect(isSame('9007199254740993', '9007199254740992')).to.equal(false);
    expect(isSame('9007199254740993', '9007199254740993')).to.equal(true);
    expect(isSame('1', '1.0')).to.equal(true);
    expect(isSame('"1"', '1')).to.equal(false);
    expect(isSame('{"a":1,"b":[2]}', '{"b":[2],"a":1}')).to.equal(true);
    expect(isSame('[]', '{}')).to.equal(false);
  });

  it('finds the number of a text that would be rounded', () => {
    expect(roundedNumber('{"a":[9007199254740992,1e30],"b":9007199254740993}')).to.equal('9007199254740993');
    for (const rounded of [
      '0.1234567890123456789',
      '1152921504606846976',
      '1e-400',
      '-4.5e-324',
      '0.30000000000000004441',
    ])
      expect(roundedNumber(`[${rounded}]`), rounded).to.equal(rounded);
    for (const exact of [
      '9007199254740992',
      '"9007199254740993"',
      '0.30000000000000004',
      '1152921504606847000',
      '1e400',
    ])
      expect(roundedNumber(`[${exact}]`), exact).to.equal(undefined);
    for (const exact of ['0.10000000000000000', '5e-324', '-1.7976931348623157e308', '0e999'])
      expect(roundedNumber(`[${exact}]`), exact).to.equal(undefined);
    expect(roundedNumber(`[-${'9'.repeat(400)}]`)).to.have.length(401);
  });

  it('survives numbers of 1 MB, and refuses what is too deep or has too many long numbers', () => {
    const [long] = parse(`[${'9'.repeat(1_000_000)}]`) as Decimal[];
    expect(long!.toString()).to.have.length(1_000_000);
    expect(() => parse('['.repeat(500_000) + ']'.repeat(500_000))).to.throw(TooMuchWork);
    expect(() => parse(`[${'90071992547409931,'.repeat(55_000)}1]`)).to.throw(TooMuchWork);
    expect(parse(JSON.stringify('['.repeat(500_000)))).to.have.length(500_000);
  });
});
