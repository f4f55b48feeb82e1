import { expect } from 'chai';
import fc from 'fast-check';
import { matchesHost } from './certificate-summary.js';

const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,8}[a-z0-9_])?$/);

describe('A name of a certificate', () => {
  it('is that of a host in any case, with or without a final dot', () => {
    fc.assert(
      fc.property(
        fc.array(label, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
        (labels, dotted, other) => {
          const host = labels.join('.');
          expect(matchesHost(host.toUpperCase() + (dotted ? '.' : ''), host + (other ? '.' : ''))).to.equal(true);
        },
      ),
    );
  });

  it('with a wildcard is that of every host with one more label, and of no other', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 2, maxLength: 3 }), label, label, (zone, one, other) => {
        const name = `*.${zone.join('.')}`;
        expect(matchesHost(name, `${one}.${zone.join('.')}`)).to.equal(true);
        expect(matchesHost(name, `${one}.${other}.${zone.join('.')}`)).to.equal(false);
        expect(matchesHost(name, zone.join('.'))).to.equal(false);
        expect(matchesHost(name, `${one}.${zone.join('.')}x`)).to.equal(false);
      }),
    );
  });

  it('has its wildcard as one whole label, the left-most one, with two labels after it', () => {
    for (const [name, host] of [
      ['*.test', 'www.test'],
      ['*', 'localhost'],
      ['w*.wp.test', 'www.wp.test'],
      ['*w.wp.test', 'www.wp.test'],
      ['www.*.test', 'www.wp.test'],
      ['*.*.test', 'www.wp.test'],
      ['*.wp.test', '.wp.test'],
      ['', ''],
    ] as const)
      expect(matchesHost(name, host), `${name} ${host}`).to.equal(name === host);
    expect(matchesHost('*.wp.test', 'xn--bcher-kva.wp.test')).to.equal(true);
  });
});
