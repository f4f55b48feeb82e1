import { cutText } from '@watchpost/shared/storable-text';
import { ProbeFault } from './probe-fault.js';

export interface Expectation {
  /** Inclusive ranges. */
  expectedStatus: readonly { from: number; to: number }[];
  keyword: { text: string; mode: 'present' | 'absent' } | null;
}

/** The part of the decoded body that is searched for the keyword, bytes. */
export const BODY_LIMIT = 1024 * 1024;

export function isExpectedStatus(statusCode: number, expectation: Expectation): boolean {
  return expectation.expectedStatus.some(({ from, to }) => statusCode >= from && statusCode <= to);
}

/** `200-299 or 404`. */
export function expectedText(expectation: Expectation): string {
  const ranges = expectation.expectedStatus.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
  return ranges.length > 1 ? `${ranges.slice(0, -1).join(', ')} or ${ranges.at(-1)}` : (ranges[0] ?? 'none');
}

/**
 * Checks the presence or absence of the keyword.
 * @param found whether it is in the part of the body that was read
 * @param cut whether there was more than that part
 */
export function judgeKeyword(
  keyword: { text: string; mode: 'present' | 'absent' },
  found: boolean,
  cut: boolean,
): ProbeFault | null {
  if (keyword.mode === 'absent')
    return found ? new ProbeFault('keyword_present', { keyword: shortened(keyword.text) }) : null;
  return found
    ? null
    : new ProbeFault('keyword_missing', {
        keyword: shortened(keyword.text),
        within: cut ? ' in the first 1 MiB of its body' : '',
      });
}

function shortened(keyword: string): string {
  return keyword.length > 100 ? `${cutText(keyword, 100)}…` : keyword;
}
