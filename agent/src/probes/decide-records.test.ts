import { expect } from 'chai';
import fc from 'fast-check';
import type { DnsServerAnswer } from '@watchpost/shared/outcome';
import { decidePropagation, decideRecords } from './decide-records.js';
import { readReply } from '@watchpost/shared/names/dns-reply';
import { parseResolver } from './resolver-places.js';

const values = fc.uniqueArray(
  fc.integer({ min: 1, max: 6 }).map((last) => `192.0.2.${last}`),
  { maxLength: 6 },
);

describe('expected records', () => {
  it('match any, all or exactly the values', () => {
    fc.assert(
      fc.property(values, values, (found, wanted) => {
        const fails = (match: 'any' | 'all' | 'exact'): boolean =>
          decideRecords('shop.example', { A: found }, [{ type: 'A', match, values: wanted }]) !== null;
        const there = wanted.filter((value) => found.includes(value));
        expect(fails('any')).to.equal(wanted.length > 0 && there.length === 0);
        expect(fails('all')).to.equal(there.length < wanted.length);
        expect(fails('exact')).to.equal(there.length < wanted.length || found.length > wanted.length);
      }),
    );
  });
});

describe('propagation', () => {
  const answer = (serial: number | null, error: string | null = null): DnsServerAnswer => ({
    server: 'ns',
    serial,
    records: error === null ? { A: [] } : null,
    error,
  });

  it('is consistent if all that answer agree, and includes silent servers in the percentage', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(1, 2, null), { minLength: 1, maxLength: 10 }), (serials) => {
        const { consistent, convergedPercent } = decidePropagation(
          serials.map((serial) => answer(serial, serial === null ? 'no answer' : null)),
        );
        const answered = serials.filter((serial) => serial !== null);
        expect(consistent).to.equal(new Set(answered).size === 1);
        const most = Math.max(
          answered.filter((serial) => serial === 1).length,
          answered.filter((serial) => serial === 2).length,
        );
        expect(convergedPercent).to.equal(Math.round((100 * most) / serials.length));
      }),
    );
    expect(decidePropagation([])).to.deep.equal({ consistent: false, convergedPercent: 0 });
    const records = { A: ['1'], MX: ['2'] };
    expect(
      decidePropagation([
        { ...answer(1), records },
        { ...answer(1), records: { MX: ['2'], A: ['1'] } },
      ]).consistent,
    ).to.equal(true);
  });
});

describe('DNS packets', () => {
  it('are parsed or refused, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => readReply(Buffer.from(bytes), 1, { name: 'shop.example', type: 'A' })).not.to.throw();
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a resolver’s place', () => {
  it('is a host with an optional port', () => {
    for (const [text, host, port] of [
      ['192.0.2.1', '192.0.2.1', 53],
      ['192.0.2.1:5353', '192.0.2.1', 5353],
      ['2001:db8::1', '2001:db8::1', 53],
      ['[2001:db8::1]:5353', '2001:db8::1', 5353],
      ['[2001:db8::1]', '2001:db8::1', 53],
      ['dns.example:53', 'dns.example', 53],
    ] as const)
      expect(parseResolver(text), text).to.deep.equal({ host, port });
    for (const text of ['', ':53', 'a:b:c', '[dns.example]:53', '192.0.2.1:0', '192.0.2.1:65536', '192.0.2.1:'])
      expect(parseResolver(text), text).to.equal(null);
  });
});
