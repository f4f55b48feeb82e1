/** The longest wait between attempts: a receiver cannot ask for a longer one. */
export const LONGEST_WAIT_MS = 12 * 3_600_000;

/**
 * Parses a `Retry-After` header (RFC 9110 §10.2.3): seconds or a date. A date in the past counts as now; longer waits are
 * limited to 12 hours.
 * @returns ms from now; undefined where the header is absent or invalid
 */
export function readRetryAfter(value: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (text === undefined || text === '') return undefined;
  // Date.parse also takes what is no date, such as -5.
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : /^[a-z]/i.test(text) ? Date.parse(text) - nowMs : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_WAIT_MS);
}
