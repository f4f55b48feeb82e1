import type { OcspStaple } from '@watchpost/shared/outcome';
import { readDer, readDerChildren, readOid, readTime, type DerNode } from './der.js';

const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1';
const UNREADABLE: OcspStaple = { status: 'unreadable', thisUpdate: null, nextUpdate: null, revokedAt: null };
const STATUS = new Map([
  [0x80, 'good'],
  [0xa1, 'revoked'],
  [0x82, 'unknown'],
] as const);

/**
 * Reads the status of a certificate from an OCSP response (RFC 6960 §4.2.1); a response about other certificates is
 * unreadable. Its signature is not verified: it comes from the server of the certificate.
 * @param serialNumber of the certificate, in hexadecimal
 */
export function readOcspStaple(bytes: Buffer, serialNumber: string): OcspStaple {
  try {
    const [status, responseBytes] = readDerChildren(readDer(bytes).node.content);
    // 0 is "successful"; any other response has no status.
    if (status?.content[0] !== 0 || !responseBytes) return UNREADABLE;
    const [type, response] = readDerChildren(child(responseBytes, 0).content);
    if (!type || !response || readOid(type.content) !== BASIC_RESPONSE) return UNREADABLE;
    const data = child(readDer(response.content).node, 0);
    // Version and responder, which precede it, have other tags; the list of responses is the only sequence.
    const answers = readDerChildren(data.content).find((node) => node.tag === 0x30);
    const own =
      answers && readDerChildren(answers.content).find((answer) => serialOf(answer) === plainHex(serialNumber));
    return own ? readAnswer(own) : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** The last field of CertID (§4.1.1). */
function serialOf(answer: DerNode): string {
  return plainHex(child(child(answer, 0), 3).content.toString('hex'));
}

function plainHex(hex: string): string {
  return hex.toLowerCase().replace(/^0+(?=.)/, '');
}

function readAnswer(answer: DerNode): OcspStaple {
  const [, certStatus, thisUpdate, ...rest] = readDerChildren(answer.content);
  const status = STATUS.get((certStatus?.tag ?? 0) as 0x80);
  if (!certStatus || !thisUpdate || status === undefined) return UNREADABLE;
  const nextUpdate = rest.find((node) => node.tag === 0xa0);
  return {
    status,
    thisUpdate: readTime(thisUpdate.content),
    nextUpdate: nextUpdate ? readTime(child(nextUpdate, 0).content) : null,
    revokedAt: status === 'revoked' ? readTime(child(certStatus, 0).content) : null,
  };
}

function child(node: DerNode, index: number): DerNode {
  const found = readDerChildren(node.content)[index];
  if (!found) throw new RangeError('an element is missing');
  return found;
}
