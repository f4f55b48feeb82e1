import { expect } from 'chai';
import { encode, type Answer } from 'dns-packet';
import { nameBytes, readMessage } from '@watchpost/shared/names/dns-message';
import { decideSignature, Verifications } from './decide-signature.js';
import { hashName } from './denial-record.js';
import { isDigestOf, readKeyDigest, readZoneKey } from './zone-key.js';

interface Vector {
  rfc: string;
  zone: string;
  key: { flags: number; algorithm: number; key: string };
  digest?: { keyTag: number; digestType: number; digest: string };
  record: Answer;
  signature: { labels: number; inception: string; expiration: string; keyTag: number; signature: string };
}

const VECTORS: readonly Vector[] = [
  {
    rfc: 'RFC 5702 §6.1',
    zone: 'example.net',
    key: {
      flags: 256,
      algorithm: 8,
      key: 'AwEAAcFcGsaxxdgiuuGmCkVImy4h99CqT7jwY3pexPGcnUFtR2Fh36BponcwtkZ4cAgtvd4Qs8PkxUdp6p/DlUmObdk=',
    },
    record: { name: 'www.example.net', type: 'A', data: '192.0.2.91', ttl: 3_600 },
    signature: {
      labels: 3,
      expiration: '2030-01-01T00:00:00Z',
      inception: '2000-01-01T00:00:00Z',
      keyTag: 9_033,
      signature: 'kRCOH6u7l0QGy9qpC9l1sLncJcOKFLJ7GhiUOibu4teYp5VE9RncriShZNz85mwlMgNEacFYK/lPtPiVYP4bwg==',
    },
  },
  {
    rfc: 'RFC 6605 §6.1',
    zone: 'example.net',
    key: {
      flags: 257,
      algorithm: 13,
      key: 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
    },
    digest: {
      keyTag: 55_648,
      digestType: 2,
      digest: 'b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17',
    },
    record: { name: 'www.example.net', type: 'A', data: '192.0.2.1', ttl: 3_600 },
    signature: {
      labels: 3,
      expiration: '2010-09-09T10:04:39Z',
      inception: '2010-08-12T10:04:39Z',
      keyTag: 55_648,
      signature: 'qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==',
    },
  },
  {
    rfc: 'RFC 8080 §6.1',
    zone: 'example.com',
    key: { flags: 257, algorithm: 15, key: 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=' },
    digest: {
      keyTag: 3_613,
      digestType: 2,
      digest: '3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b',
    },
    record: { name: 'example.com', type: 'MX', data: { preference: 10, exchange: 'mail.example.com' }, ttl: 3_600 },
    signature: {
      labels: 2,
      expiration: new Date(1_440_021_600_000).toISOString(),
      inception: new Date(1_438_207_200_000).toISOString(),
      keyTag: 3_613,
      signature: 'oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==',
    },
  },
];

describe('The examples of the standards of DNSSEC', () => {
  for (const { rfc, zone, key, digest, record, signature } of VECTORS)
    it(`validate, those of ${rfc}`, () => {
      const seconds = (text: string) => Date.parse(text) / 1_000;
      const answers = [
        { name: zone, type: 'DNSKEY', data: { ...key, key: Buffer.from(key.key, 'base64') }, ttl: 3_600 },
        record,
        {
          name: record.name,
          type: 'RRSIG',
          ttl: 3_600,
          data: {
            ...signature,
            typeCovered: record.type,
            algorithm: key.algorithm,
            originalTTL: 3_600,
            expiration: seconds(signature.expiration),
            inception: seconds(signature.inception),
            signersName: zone,
            signature: Buffer.from(signature.signature, 'base64'),
          },
        },
      ] as Answer[];
      const [keyRecord, own, ...signatures] = readMessage(encode({ type: 'response', answers }))!.answers;
      const zoneKey = readZoneKey(keyRecord!)!;
      const name = nameBytes(zone);
      const at = (ms: number) =>
        decideSignature([own!], signatures, { zone: name, keys: [zoneKey] }, ms, new Verifications());
      const expirationMs = Date.parse(signature.expiration);
      expect(zoneKey.tag).to.equal(signature.keyTag);
      expect(at(expirationMs - 1_000)).to.deep.include({ wildcardLabels: null });
      expect(at(expirationMs + 1_000))
        .to.have.property('why')
        .that.matches(/expired on/);
      expect(at(Date.parse(signature.inception) - 1_000))
        .to.have.property('why')
        .that.matches(/valid from/);
      if (!digest) return;
      const data = Buffer.from([digest.keyTag >> 8, digest.keyTag & 255, key.algorithm, digest.digestType]);
      const bytes = Buffer.concat([data, Buffer.from(digest.digest, 'hex')]);
      expect(isDigestOf(readKeyDigest(bytes)!, name, zoneKey)).to.equal(true);
      bytes[bytes.length - 1]! ^= 1;
      expect(isDigestOf(readKeyDigest(bytes)!, name, zoneKey)).to.equal(false);
    });

  it('hash names, those of RFC 5155 appendix A', () => {
    const digits = '0123456789abcdefghijklmnopqrstuv';
    for (const [name, hash] of [
      ['example', '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom'],
      ['a.example', '35mthgpgcu1qg68fab165klnsnk3dpvl'],
      ['ai.example', 'gjeqe526plbf1g8mklp59enfd789njgi'],
      ['ns1.example', '2t7b4g4vsa5smi47k61mv5bv1a22bojr'],
      ['*.w.example', 'r53bq7cc2uvmubfu5ocmm6pers9tk9en'],
    ] as const) {
      const bits = Array.from(hash, (digit) => digits.indexOf(digit).toString(2).padStart(5, '0')).join('');
      const bytes = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
      const hashed = hashName(nameBytes(name), { iterations: 12, salt: Buffer.from('aabbccdd', 'hex') });
      expect(hashed.equals(bytes), name).to.equal(true);
    }
  });
});
