import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { expect } from 'chai';
import { keyOf } from './certificate-summary.js';
import { indexRoots, judgeChain } from './judge-chain.js';

/** id-ecPublicKey (RFC 5480 §2.1.1), and an unknown identifier of the same length. */
const EC_KEY = Buffer.from('06072a8648ce3d0201', 'hex');
const STRANGE_KEY = Buffer.from('06072a8648ce3d0277', 'hex');

const NOW = Date.now();

describe('a certificate with an unsupported kind of key', () => {
  const root = rootCertificates.map((pem) => new X509Certificate(pem)).find(({ raw }) => raw.includes(EC_KEY))!;
  const at = root.raw.indexOf(EC_KEY);
  const strange = new X509Certificate(
    Buffer.concat([root.raw.subarray(0, at), STRANGE_KEY, root.raw.subarray(at + EC_KEY.length)]),
  );

  it('is described as far as possible', () => {
    expect(keyOf(root)).to.include({ keyType: 'ec' });
    expect(() => strange.publicKey).to.throw();
    expect(keyOf(strange)).to.deep.equal({ keyType: 'unknown', keyBits: null });
  });

  it('verifies no other certificate, and is trusted only as a root itself', () => {
    const roots = indexRoots([root.toString()]);
    expect(judgeChain([root], roots, NOW).fault).to.equal(null);
    expect(judgeChain([strange], roots, NOW).fault).to.equal('unknownAuthority');
    expect(judgeChain([strange], indexRoots([strange.toString()]), NOW).fault).to.equal(null);
  });
});
