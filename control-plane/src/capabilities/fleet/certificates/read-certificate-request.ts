import 'reflect-metadata';
import { Pkcs10CertificateRequest } from '@peculiar/x509';

/** A request of the agent has about 250 bytes. */
export const MAX_CERTIFICATE_REQUEST_BYTES = 4_096;
/** The SPKI of an uncompressed point on P-256 (RFC 5480) consists of this prefix and 64 bytes. */
const P256_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex');
const P256_SPKI_BYTES = P256_PREFIX.length + 64;

/**
 * Reads the public key of a certificate request and verifies that the sender has the private key. Other content of the
 * request (names, extensions) is ignored.
 * @returns SPKI in DER; undefined if it is not a request, has another kind of key, or is not signed by that key
 */
export async function readCertificateRequest(der: Buffer): Promise<Buffer | undefined> {
  if (der.length === 0 || der.length > MAX_CERTIFICATE_REQUEST_BYTES) return undefined;
  try {
    const request = new Pkcs10CertificateRequest(der);
    const publicKey = Buffer.from(request.publicKey.rawData);
    const isP256 =
      publicKey.length === P256_SPKI_BYTES && publicKey.subarray(0, P256_PREFIX.length).equals(P256_PREFIX);
    return isP256 && (await request.verify()) ? publicKey : undefined;
  } catch {
    // The parser throws errors of many kinds. All mean that the request is malformed.
    return undefined;
  }
}
