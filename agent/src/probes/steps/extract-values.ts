import { Pattern } from '@watchpost/shared/assertions/pattern';
import type { Extraction } from '@watchpost/shared/checks/http';
import type { Header } from '@watchpost/shared/secrets/secret-values';
import { storableText } from '@watchpost/shared/storable-text';
import { whyNotRead, type AnswerValues } from '../answer-values.js';

/** Longer values are not extracted: they would be sent many times over. */
const MOST_CHARS = 4_096;

/** A value of an answer, or the reason why the answer has none, which ends a sentence. */
export type Extracted = Pick<Extraction, 'name' | 'secret'> & ({ value: string } | { why: string });

/**
 * Extracts values from an answer, within the work that its assertions leave.
 * @param cookies those that would be sent to the URL of the answer
 */
export function extractValues(
  extractions: readonly Extraction[],
  answer: AnswerValues,
  cookies: readonly Header[],
): Extracted[] {
  return extractions.map((extraction) => {
    const { name, secret } = extraction;
    try {
      const found = valueOf(extraction, answer, cookies);
      if (found === undefined) return { name, secret, why: NOT_FOUND[extraction.from] };
      return found.length > MOST_CHARS
        ? { name, secret, why: `it has more than ${MOST_CHARS} characters` }
        : { name, secret, value: storableText(found) };
    } catch (error) {
      return { name, secret, why: whyNotRead(error) };
    }
  });
}

const NOT_FOUND: Readonly<Record<Extraction['from'], string>> = {
  json: 'the query has no match',
  header: 'the answer has no such header',
  cookie: 'there is no such cookie',
  regex: 'the pattern has no match',
  status: 'there is no answer',
};

function valueOf(
  { from, expression }: Extraction,
  answer: AnswerValues,
  cookies: readonly Header[],
): string | undefined {
  switch (from) {
    case 'json':
      return answer.firstMatch(expression);
    case 'header':
      return answer.of('header', expression)[0] as string | undefined;
    case 'cookie':
      return cookies.find(({ name }) => name === expression)?.value;
    case 'regex':
      return Pattern.of(expression).capture(answer.body.text, answer.work) ?? undefined;
    case 'status':
      return String(answer.answer.status);
  }
}
