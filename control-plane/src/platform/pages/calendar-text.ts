export interface CalendarEvent {
  /** Stable: the same each time the calendar is built. */
  uid: string;
  startMs: number;
  endMs: number;
  summary: string;
  description?: string;
  url?: string;
  /** When it changed last; default: the time of the build. */
  changedMs?: number;
  /** Grows with each change (RFC 5545 §3.8.7.4); default: left out, which means 0. */
  sequence?: number;
  isCancelled?: boolean;
}

const FOLD_OCTETS = 75;

/**
 * A calendar as text (RFC 5545): lines folded at 75 octets, text escaped, times in UTC. Events shorter than a second are
 * left out.
 * @param product what made it, for PRODID
 * @param nowMs the time of the build
 */
export function calendarText(
  { name, product }: { name: string; product: string },
  events: readonly CalendarEvent[],
  nowMs: number,
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Watchpost//${product}//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    // RFC 7986, and its non-standard predecessor.
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events
      .filter(({ startMs, endMs }) => Math.floor(startMs / 1_000) !== Math.floor(endMs / 1_000))
      .flatMap((event) => [
        'BEGIN:VEVENT',
        `UID:${event.uid}`,
        `DTSTAMP:${utcTime(event.changedMs ?? nowMs)}`,
        `DTSTART:${utcTime(event.startMs)}`,
        `DTEND:${utcTime(event.endMs)}`,
        `SUMMARY:${escapeText(event.summary)}`,
        ...(event.description === undefined ? [] : [`DESCRIPTION:${escapeText(event.description)}`]),
        ...(event.url === undefined ? [] : [`URL:${event.url}`]),
        ...(event.changedMs === undefined ? [] : [`LAST-MODIFIED:${utcTime(event.changedMs)}`]),
        ...(event.sequence === undefined ? [] : [`SEQUENCE:${event.sequence}`]),
        ...(event.isCancelled === undefined ? [] : [`STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`]),
        'TRANSP:TRANSPARENT',
        'END:VEVENT',
      ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

/** RFC 5545 §3.3.5, form 2. */
function utcTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** RFC 5545 §3.3.11; other control characters are not allowed at all. */
function escapeText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(/[^\P{Cc}\t]/gu, '');
}

/** RFC 5545 §3.1: no line is longer than 75 octets, and no character is cut. */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= FOLD_OCTETS) return line;
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > FOLD_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
