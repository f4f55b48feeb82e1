import { cutText } from '@watchpost/shared/storable-text';
import type { X509Certificate } from 'node:crypto';
import type { Evidence } from '@watchpost/shared/outcome';
import { isSecretHeader, MASK } from '@watchpost/shared/secrets/secret-header';
import { hasReadableDates, namesOf, summaryOf } from './certificate-summary.js';
import type { AnswerHead } from './answer-head.js';
import { decodeBody, UnreadableBody } from './decode-body.js';

const BODY_START_BYTES = 2 * 1024;
/** A test keeps more, because people take values to compare from it. */
const TESTED_BODY_BYTES = 16 * 1024;
/** A page can declare its charset behind its first 2 KiB. */
const SNIFFED_BYTES = 16 * 1024;
const MOST_HEADERS = 50;
const MOST_VALUE_CHARS = 500;
const MOST_NAMES = 50;
/** Response headers with credentials, beside those of requests. */
const SECRET = /cookie|authenticat|credential|csrf|xsrf/i;
/** Without credentials; they explain a 401. */
const SHOWN = /^(?:www|proxy)-authenticate$/i;
const CONTROL = /[\p{Cc}\p{Cf}]/gu;
const CONTROL_BUT_LINES = /[^\P{Cc}\n\t]|\p{Cf}/gu;

/** The response headers as evidence: repeated ones joined, secrets masked, unprintable characters replaced, limited in number. */
export function headerEvidence(head: Pick<AnswerHead, 'headers'>): Record<string, string> {
  const shown = new Map<string, string>();
  for (let index = 0; index + 1 < head.headers.length && shown.size < MOST_HEADERS; index += 2) {
    const name = head.headers[index]!.replaceAll(CONTROL, '?');
    const before = shown.get(name);
    // A header can be repeated thousands of times: values beyond the limit are not processed.
    if (before !== undefined && before.length >= MOST_VALUE_CHARS) continue;
    const value = isSecretAnswer(name)
      ? MASK
      : cutText(head.headers[index + 1]!.replaceAll(CONTROL, '?'), MOST_VALUE_CHARS);
    if (before !== value)
      shown.set(name, before === undefined ? value : cutText(`${before}, ${value}`, MOST_VALUE_CHARS));
  }
  return Object.fromEntries(shown);
}

/** Decides whether a header of an answer has credentials. */
export function isSecretAnswer(name: string): boolean {
  return !SHOWN.test(name) && (isSecretHeader(name) || SECRET.test(name));
}

/** The certificate that does not verify; undefined where its dates are invalid. */
export function certificateEvidence(certificate: X509Certificate): Evidence['certificate'] | undefined {
  if (!hasReadableDates(certificate)) return undefined;
  return { ...summaryOf(certificate), subjectAltNames: namesOf(certificate).slice(0, MOST_NAMES) };
}

/** The start of a body as printable text, left out where it is empty or cannot be decoded, and what was noted about it. */
export async function bodyEvidence(
  chunks: readonly Buffer[],
  head: AnswerHead,
  isTest = false,
): Promise<Pick<Evidence, 'notes' | 'bodyStart'>> {
  const body = await decodeBody(chunks, head, SNIFFED_BYTES);
  const isEmpty = body instanceof UnreadableBody || body.bytes.length === 0;
  const notes = [...(head.notes ?? []), ...(isEmpty ? [] : body.notes)];
  return {
    ...(notes.length > 0 ? { notes } : {}),
    ...(isEmpty ? {} : { bodyStart: printableText(body.start(isTest ? TESTED_BODY_BYTES : BODY_START_BYTES)) }),
  };
}

function printableText(text: string): string {
  // The last character can be cut in two.
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROL_BUT_LINES, '')
    .replace(/\ufffd{1,3}$/, '');
}
