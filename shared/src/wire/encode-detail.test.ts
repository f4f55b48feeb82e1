import { expect } from 'chai';
import fc from 'fast-check';
import type { DnsDetail, SslDetail } from '../outcome.js';
import { encodeDetail, MAX_DETAIL_BYTES } from './encode-detail.js';

const certificate = (subject: string) => ({
  subject,
  issuer: 'CN=Root',
  serialNumber: '0A',
  validFrom: '2026-01-01T00:00:00.000Z',
  validTo: '2027-01-01T00:00:00.000Z',
  fingerprint256: 'AB:CD',
});
const ssl = (more: Partial<SslDetail>): SslDetail => ({
  kind: 'ssl',
  ...certificate('CN=shop.test'),
  isValid: true,
  daysUntilExpiry: 100,
  subjectAltNames: ['shop.test'],
  keyType: 'ec',
  keyBits: 256,
  signatureAlgorithm: 'ecdsa-with-SHA256',
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_128_GCM_SHA256',
  chain: [certificate('CN=shop.test')],
  chainTrusted: true,
  hostnameMatches: true,
  ocspStapled: false,
  ocsp: null,
  ...more,
});
const dns = (values: string[], servers: number): DnsDetail => ({
  kind: 'dns',
  resolver: '192.0.2.53:53',
  records: { TXT: values },
  responseUs: 1_000,
  propagation: {
    consistent: true,
    convergedPercent: 100,
    servers: Array.from({ length: servers }, (_, index) => ({
      server: `ns${index}.test`,
      serial: 1,
      records: { TXT: values },
      error: null,
    })),
  },
});
const read = (detail: SslDetail | DnsDetail) => JSON.parse(encodeDetail(detail).toString()) as typeof detail;

describe('the detail of an SSL or DNS check', () => {
  it('is sent unchanged if it fits', () => {
    for (const detail of [ssl({}), dns(['v=spf1 -all'], 4)]) expect(read(detail)).to.deep.equal(detail);
    expect(encodeDetail(undefined)).to.have.length(0);
  });

  it('is truncated and marked if it does not fit; its verdicts stay', () => {
    const many = Array.from({ length: 1_500 }, (_, index) => `${index} ${'x'.repeat(300)}`);
    const cut = read(dns(many, 16)) as DnsDetail;
    expect(cut).to.deep.include({ isCut: true, resolver: '192.0.2.53:53' });
    expect(cut.records.TXT).to.deep.equal(many.slice(0, 20).map((value) => value.slice(0, 256)));
    expect(cut.propagation).to.deep.include({ consistent: true, convergedPercent: 100 });
    expect(cut.propagation!.servers).to.have.length(16);
    const long = read(
      ssl({ chain: Array.from({ length: 60 }, (_, index) => certificate(`CN=${index}${'y'.repeat(2_000)}`)) }),
    );
    expect(long).to.deep.include({ isCut: true, chainTrusted: true, subject: 'CN=shop.test' });
    expect((long as SslDetail).chain).to.have.length(10);
  });

  it('is never longer than the limit, and the same at every encoding', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 3_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.nat(16), (values, servers) => {
        for (const detail of [dns(values, servers), ssl({ subjectAltNames: values, chain: values.map(certificate) })]) {
          const bytes = encodeDetail(detail);
          expect(bytes.length).to.be.within(1, MAX_DETAIL_BYTES);
          expect(encodeDetail(structuredClone(detail)).equals(bytes)).to.equal(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});
