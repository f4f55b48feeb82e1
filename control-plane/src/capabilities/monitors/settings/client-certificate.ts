import { createPrivateKey, X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN ([^-]+)-----[^-]*-----END \1-----/g;

/** Finds what is wrong with the PEM of a certificate, as the ends of sentences. Anything else in it, such as a key, would be answered in clear. */
export function certificateFaults(pem: string): string[] {
  const blocks = [...pem.matchAll(BLOCK)];
  if (blocks.length === 0) return ['must be a certificate in PEM'];
  if (pem.replaceAll(BLOCK, '').trim() !== '' || blocks.some(([, label]) => label !== 'CERTIFICATE'))
    return ['must hold certificates in PEM and nothing else: the key belongs into `key`'];
  return blocks.flatMap(([block], at) =>
    readable(() => new X509Certificate(block))
      ? []
      : [`has a certificate that cannot be read, number ${at + 1} of ${blocks.length}`],
  );
}

/** Finds what is wrong with the PEM of a private key, as the ends of sentences. */
export function keyFaults(pem: string): string[] {
  if (/ENCRYPTED/.test(pem)) return ['is encrypted: send it without a passphrase, it is stored encrypted'];
  return readable(() => createPrivateKey(pem)) ? [] : ['must be a private key in PEM'];
}

/** Finds why the key does not belong to the certificate, as the ends of sentences; one that cannot be read has a fault of its own. */
export function pairFaults({ certificate, key }: { certificate: string; key: string }): string[] {
  let fits = true;
  readable(() => (fits = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))));
  return fits ? [] : ['is not the key of the first certificate'];
}

function readable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
