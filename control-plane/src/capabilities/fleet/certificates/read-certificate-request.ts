import 'reflect-metadata';
import { Pkcs10CertificateRequest } from '@peculiar/x509';

/** Ours has about 250 bytes. */
export const MAX_CERTIFICATE_REQUEST_BYTES = 4_096;
/** SPKI of an uncompressed point on P-256 (RFC 5480): what stands before its 64 bytes. */
const P256_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex');
const P256_SPKI_BYTES = P256_PREFIX.length + 64;

/**
 * The public key of a certificate request whose sender has the private one. Whatever else a request asks for
 * (names, extensions) is not looked at.
 * @returns SPKI in DER; undefined where it is no request, for another kind of key, or not signed by that key
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
    // The parser throws whatever it stumbles over; to us all of that is one answer.
    return undefined;
  }
}
