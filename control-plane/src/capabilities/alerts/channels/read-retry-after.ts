const MOST_MS = 12 * 3_600_000;

/**
 * RFC 9110 §10.2.3: seconds or a date. What lies in the past is now, what is longer than the longest wait of our
 * own is that.
 * @returns ms from now; undefined where it says nothing that can be read
 */
export function readRetryAfter(value: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (text === undefined || text === '') return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), MOST_MS);
}
