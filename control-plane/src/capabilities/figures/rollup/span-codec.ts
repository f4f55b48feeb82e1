import { VarintReader, VarintWriter } from './varints.js';

/** An interval in which one series has one outcome; half-open, ms since the epoch. */
export interface Span {
  startMs: number;
  endMs: number;
  up: boolean;
}

/** What the timeline needs of a conclusive result: its scheduled time, for how long it is fresh, its outcome. */
export interface ConclusiveCheck {
  atMs: number;
  freshMs: number;
  up: boolean;
}

/** The spans of one series: each check determines the outcome until the next one, or until it is no longer fresh. */
export function spansOf(checks: readonly ConclusiveCheck[]): Span[] {
  return joinSpans(checks.map(({ atMs, freshMs, up }) => ({ startMs: atMs, endMs: atMs + freshMs, up })));
}

/**
 * Sorts the spans of one series: a later span ends an earlier one, and spans that touch and have the same outcome are
 * merged. The joined spans of several buckets therefore equal the spans of all their results. Empty spans are kept,
 * because they end earlier spans too: a result that arrives while its monitor is paused is fresh for no time.
 */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last) last.endMs = Math.min(last.endMs, span.startMs);
    if (last && last.endMs === span.startMs && last.up === span.up) last.endMs = span.endMs;
    else joined.push({ ...span });
  }
  return joined;
}

/**
 * The number of spans; then for each span its distance from the end of the previous one (of the first: from the epoch)
 * and twice its length, plus one where it is up; ms.
 */
export function encodeSpans(spans: readonly Span[]): Buffer {
  const writer = new VarintWriter();
  writer.write(spans.length);
  let lastMs = 0;
  for (const { startMs, endMs, up } of spans) {
    writer.write(startMs - lastMs);
    writer.write(2 * (endMs - startMs) + (up ? 1 : 0));
    lastMs = endMs;
  }
  return writer.toBuffer();
}

/** The spans of one bucket, or of several concatenated ones, which the caller joins. */
export function decodeSpans(bytes: Uint8Array): Span[] {
  const reader = new VarintReader(bytes);
  const spans: Span[] = [];
  while (!reader.isAtEnd) {
    let lastMs = 0;
    for (let left = reader.read(); left > 0; left--) {
      const startMs = lastMs + reader.read();
      const length = reader.read();
      lastMs = startMs + Math.floor(length / 2);
      spans.push({ startMs, endMs: lastMs, up: length % 2 === 1 });
    }
  }
  return spans;
}
