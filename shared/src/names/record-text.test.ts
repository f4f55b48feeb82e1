import { expect } from 'chai';
import { encode, type Answer } from 'dns-packet';
import fc from 'fast-check';
import { DNS_RECORD_TYPES, type DnsRecordType } from '../checks/dns.js';
import { readMessage } from './dns-message.js';
import { recordsOf } from './dns-reply.js';
import { plainValue, recordText } from './record-text.js';

const textOf = (type: DnsRecordType, data: unknown): string[] =>
  recordsOf(
    readMessage(encode({ type: 'response', answers: [{ name: 'shop.example', type, data } as Answer] }))!,
    type,
  );
/** The example of RFC 9460 appendix D.2 with most parameters, and those that are seen most. */
const HTTPS_EXAMPLES: readonly (readonly [hex: string, text: string, written: string])[] = [
  ['000003666f6f076578616d706c6503636f6d00', '0 foo.example.com', '0 foo.example.com.'],
  ['000100', '1 .', '1 .'],
  ['001003666f6f076578616d706c6503636f6d00000300020035', '16 foo.example.com port=53', '16 Foo.example.com. port=53'],
  [
    '000103666f6f076578616d706c6503636f6d00029b000568656c6c6f',
    '1 foo.example.com key667=hello',
    '1 foo.example.com. key667="hello"',
  ],
  [
    '001003666f6f076578616d706c65036f7267000000000400010004000100090268320568332d313900040004c0000201',
    '16 foo.example.org mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1',
    '16 foo.example.org. mandatory=alpn,ipv4hint alpn="h2,h3-19"  ipv4hint=192.0.2.1',
  ],
  [
    '000100000200000006001020010db8000000000000000000000001',
    '1 . no-default-alpn ipv6hint=2001:db8::1',
    '1 . no-default-alpn ipv6hint=2001:db8::1',
  ],
];

describe('A record in presentation format', () => {
  it('is written as servers and zone files have it, in one form', () => {
    const digest = Buffer.from('c0ffee', 'hex');
    for (const [type, data, text, written] of [
      [
        'CAA',
        { flags: 0, tag: 'Issue', value: 'ca.example; a="1"' },
        '0 issue "ca.example; a=\\"1\\""',
        '0  ISSUE "ca.example; a=\\"1\\""',
      ],
      [
        'CAA',
        { flags: 128, tag: 'iodef', value: 'mailto:a@b.example' },
        '128 iodef "mailto:a@b.example"',
        '128 iodef mailto:a@b.example',
      ],
      [
        'SRV',
        { priority: 1, weight: 2, port: 5_060, target: 'Sip.Shop.example' },
        '1 2 5060 sip.shop.example',
        '1 2  5060 SIP.shop.example.',
      ],
      ['PTR', 'Host.shop.example', 'host.shop.example', 'host.shop.example.'],
      [
        'SOA',
        {
          mname: 'ns.shop.example',
          rname: 'a-b.shop.example',
          serial: 7,
          refresh: 1,
          retry: 2,
          expire: 3,
          minimum: 4,
        },
        'ns.shop.example a-b.shop.example 7 1 2 3 4',
        'ns.shop.example. a-b.shop.example. 7 1 2 3 4',
      ],
      ['DS', { keyTag: 20_326, algorithm: 8, digestType: 2, digest }, '20326 8 2 C0FFEE', '20326 8 2 c0ff EE'],
      ['TLSA', { usage: 3, selector: 1, matchingType: 1, certificate: digest }, '3 1 1 C0FFEE', '3 1 1 C0FFEE'],
      ['MX', { preference: 0, exchange: '.' }, '0 .', '0 .'],
    ] as const) {
      expect(textOf(type, data)).to.deep.equal([text]);
      expect(plainValue(type, written)).to.equal(text);
      expect(plainValue(type, text)).to.equal(text);
    }
    for (const [hex, text, written] of HTTPS_EXAMPLES) {
      expect(recordText('HTTPS', Buffer.from(hex, 'hex'))).to.equal(text);
      expect(plainValue('HTTPS', written)).to.equal(text);
    }
  });

  it('is generic where its data are not of its type, and never throws', () => {
    expect(recordText('SRV', Buffer.from([1, 2, 3]))).to.equal('\\# 3 010203');
    expect(recordText('DS', Buffer.alloc(0))).to.equal('\\# 0');
    expect(recordText('HTTPS', Buffer.from('0001000004000300000000', 'hex'))).to.match(/^\\# 11 /);
    fc.assert(
      fc.property(fc.constantFrom(...DNS_RECORD_TYPES), fc.uint8Array({ maxLength: 80 }), (type, bytes) => {
        const text = recordText(type, Buffer.from(bytes));
        expect(text.length).to.be.at.most(5 * bytes.length + 200);
      }),
    );
  });
});
