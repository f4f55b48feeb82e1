import { VarintReader, VarintWriter } from './varints.js';

/** A stretch over which one series said the same; half-open, ms since the epoch. */
export interface Span {
  startMs: number;
  endMs: number;
  up: boolean;
}

/** A conclusive result, as far as the timeline goes. */
export interface ConclusiveCheck {
  atMs: number;
  freshMs: number;
  up: boolean;
}

/** What the results of one series say: each speaks until the next one, or until it is no longer fresh. */
export function spansOf(said: readonly ConclusiveCheck[]): Span[] {
  return joinSpans(said.map(({ atMs, freshMs, up }) => ({ startMs: atMs, endMs: atMs + freshMs, up })));
}

/**
 * Puts spans of one series in order: a later one cuts an earlier one short, and those that touch and say the same
 * become one. What the spans of several buckets come to is so what their results come to together. Spans without
 * length stay, because they cut too: a result that arrived when its monitor was paused speaks for no time.
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
 * The number of spans; then for each how long after the last one's end it begins (the first: after the epoch), and
 * twice its length, plus one where it is up; ms.
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

/** The spans of one bucket, or of several whose bytes are strung together; these still want to be joined. */
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
