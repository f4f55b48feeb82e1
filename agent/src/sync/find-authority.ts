import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate } from 'node:tls';

const DEADLINE_MS = 10_000;
/** Real chains have three or four certificates; this ends a circular one. */
const MAX_CHAIN = 10;

/**
 * Searches the certificates that a server presents for the authority that a token pins. Nothing is sent on this unverified
 * connection; the result is trusted because of its hash.
 * @returns PEM; undefined where the server presents no such certificate
 * @throws Error where the handshake fails
 */
export function findAuthority(url: URL, pin: string): Promise<string | undefined> {
  return new Promise<string | undefined>((resolve, reject) => {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    });
    const deadline = setTimeout(() => socket.destroy(new Error('no TLS handshake in time')), DEADLINE_MS);
    socket.once('secureConnect', () => {
      const authority = chainOf(socket.getPeerCertificate(true)).find((der) => pinOf(der) === pin);
      resolve(authority && certificatePem(authority));
      socket.end();
    });
    socket.on('error', reject);
    socket.once('close', () => {
      clearTimeout(deadline);
      reject(new Error('the connection was closed during the TLS handshake'));
    });
  });
}

export function certificatePem(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

function pinOf(der: Buffer): string {
  return createHash('sha256').update(der).digest('base64url');
}

/** DER, the server's certificate first; a root is its own issuer. */
function chainOf(leaf: DetailedPeerCertificate): Buffer[] {
  const chain: Buffer[] = [];
  let one: DetailedPeerCertificate | undefined = leaf;
  while (one?.raw && chain.length < MAX_CHAIN && !chain.some((known) => known.equals(one!.raw))) {
    chain.push(one.raw);
    one = one.issuerCertificate;
  }
  return chain;
}
