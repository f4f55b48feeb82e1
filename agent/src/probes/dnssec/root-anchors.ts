import { isSupported, type KeyDigest, readKeyDigest } from './zone-key.js';

/** The keys of the root zone of 2017 and 2024 (https://data.iana.org/root-anchors/root-anchors.xml). */
const IANA_ANCHORS = `
  20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D
  38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16`;

/** Key tag, algorithm, digest type and digest; what a zone file has before them is optional. */
const DS_RECORD = /^(?:\.\s+(?:\d+\s+)?(?:IN\s+)?DS\s+)?(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s+([\da-f\s]+)$/i;

/** The DS records of the root zone, one on a line or separated by commas, `;` begins a comment; null for an invalid text. */
export function parseRootAnchors(text: string = IANA_ANCHORS): KeyDigest[] | null {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.replace(/;.*/, '').trim())
    .filter((line) => line !== '');
  const digests = lines.map((line) => {
    const [, tag, algorithm, digestType, hex] = DS_RECORD.exec(line) ?? [];
    if (hex === undefined || Number(tag) > 0xffff || Number(algorithm) > 255 || Number(digestType) > 255) return null;
    const head = Buffer.from([Number(tag) >> 8, Number(tag) & 0xff, Number(algorithm), Number(digestType)]);
    return readKeyDigest(Buffer.concat([head, Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')]));
  });
  return digests.length > 0 && digests.every((one) => one !== null && isSupported(one))
    ? (digests as KeyDigest[])
    : null;
}
