export interface ReadEvent {
  uid: string;
  startMs: number;
  endMs: number;
  summary: string;
}

const REQUIRED = ['UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'SUMMARY'];

/**
 * Takes an iCalendar text apart as RFC 5545 has it, and throws where it breaks a rule: lines and their folding (§3.1),
 * components in pairs (§3.6), what a calendar and an event must have, times in UTC (§3.3.5), escaped text (§3.3.11).
 */
export function readCalendarText(text: string): { name: string; events: ReadEvent[] } {
  if (!text.endsWith('\r\n') || /[^\r]\n|\r[^\n]/.test(text)) throw new Error('lines end with CRLF');
  const folded = text.slice(0, -2).split('\r\n');
  for (const line of folded) if (Buffer.byteLength(line) > 75) throw new Error(`too long: ${line}`);
  const lines = folded
    .join('\r\n')
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n');
  const open: string[] = [];
  const calendar = new Map<string, string>();
  const events: ReadEvent[] = [];
  let event: Map<string, string> | null = null;
  for (const line of lines) {
    const [, name, value] = /^([A-Z-]+)(?:;[A-Z-]+=[^:;]+)*:(.*)$/u.exec(line) ?? fail(`no content line: ${line}`);
    if (name === 'BEGIN') {
      if (value === 'VEVENT' && open.at(-1) !== 'VCALENDAR') fail('an event outside of a calendar');
      open.push(value!);
      event = value === 'VEVENT' ? new Map() : event;
    } else if (name === 'END') {
      if (open.pop() !== value) fail(`${value} ends that did not begin`);
      if (value === 'VEVENT') events.push(eventOf(event!));
      event = value === 'VEVENT' ? null : event;
    } else (event ?? calendar).set(name!, value!);
  }
  if (open.length > 0) fail(`${open.join()} does not end`);
  if (calendar.get('VERSION') !== '2.0' || !calendar.has('PRODID')) fail('no VERSION 2.0 or no PRODID');
  if (new Set(events.map(({ uid }) => uid)).size !== events.length) fail('a UID comes twice');
  return { name: textOf(calendar.get('NAME') ?? ''), events };
}

function eventOf(properties: ReadonlyMap<string, string>): ReadEvent {
  for (const name of REQUIRED) if (!properties.get(name)) fail(`an event without ${name}`);
  timeOf(properties.get('DTSTAMP')!);
  const [startMs, endMs] = [timeOf(properties.get('DTSTART')!), timeOf(properties.get('DTEND')!)];
  if (endMs <= startMs) fail('an event ends before it begins');
  return { uid: properties.get('UID')!, startMs, endMs, summary: textOf(properties.get('SUMMARY')!) };
}

function timeOf(value: string): number {
  const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(value) ?? fail(`no time in UTC: ${value}`);
  const pairs = (digits: string) => digits.match(/\d\d/g)!;
  const [century, year, month, day] = pairs(date!);
  return Date.parse(`${century}${year}-${month}-${day}T${pairs(time!).join(':')}Z`);
}

function textOf(value: string): string {
  if (/(?<!\\)(?:\\\\)*[;,]/.test(value)) fail(`not escaped: ${value}`);
  return value.replaceAll(/\\([\\;,nN])/g, (_, char: string) => (/n/i.test(char) ? '\n' : char));
}

function fail(why: string): never {
  throw new Error(why);
}
