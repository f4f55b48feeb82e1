import type { Diagnosis } from './diagnosis-schemas.js';

/** An assistant reads it whole. */
export const MOST_BYTES = 16_384;
/** What is shortened, in this order. */
const LISTS = ['siblings', 'similar', 'changedBefore', 'dependsOn'] as const;
const TOO_LONG = 'Some of it was left out, because the answer would be too long.';
const NO_ROOM = { notice: 'It was left out, because the answer would be too long: get_incident has it.' };

/** The diagnosis in at most 16 KiB: long lists are halved, and the evidence goes last. */
export function fitDiagnosis(whole: Diagnosis): Diagnosis {
  let fitted = whole;
  for (const list of LISTS)
    while (bytesOf(fitted) > MOST_BYTES && fitted[list].length > 0) {
      const missing = fitted.missing.filter(({ part }) => part !== list);
      const left = fitted[list].slice(0, Math.floor(fitted[list].length / 2));
      fitted = { ...fitted, [list]: left, missing: [...missing, { part: list, why: TOO_LONG }] };
    }
  return bytesOf(fitted) > MOST_BYTES ? { ...fitted, firstEvidence: NO_ROOM } : fitted;
}

function bytesOf(diagnosis: Diagnosis): number {
  return Buffer.byteLength(JSON.stringify(diagnosis));
}
