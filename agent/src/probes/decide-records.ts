import { cutText } from '@watchpost/shared/storable-text';
import type { ExpectedRecords } from '@watchpost/shared/checks/dns';
import type { DnsRecords, DnsServerAnswer } from '@watchpost/shared/outcome';
import { plainValue, unquotedText } from '@watchpost/shared/names/record-text';
import { ProbeFault } from './probe-fault.js';

const MOST_SHOWN = 6;

/** Compares records with the expected ones. @returns the first expectation that fails, or null */
export function decideRecords(
  host: string,
  records: DnsRecords,
  expected: readonly ExpectedRecords[],
): ProbeFault | null {
  for (const { type, match, values } of expected) {
    const found = new Set(records[type] ?? []);
    const wanted = [...new Set(values.map((value) => wantedValue(type, value, found)))].sort();
    const missing = wanted.filter((value) => !found.has(value));
    const facts = { type, host, found: shown([...found], 'none') };
    if (match === 'any' && wanted.length > 0 && missing.length === wanted.length) {
      return new ProbeFault('records_missing', { ...facts, expected: shown(wanted, 'nothing', ' or ') });
    }
    if (match === 'all' && missing.length > 0)
      return new ProbeFault('records_missing', { ...facts, expected: shown(missing, 'nothing') });
    if (match === 'exact' && (missing.length > 0 || found.size > wanted.length))
      return new ProbeFault('records_different', { ...facts, expected: shown(wanted, 'none') });
  }
  return null;
}

/** An expected value in the form of `found`: a text in quotes is meant without them, unless there is one with them. */
function wantedValue(type: ExpectedRecords['type'], value: string, found: ReadonlySet<string>): string {
  const plain = plainValue(type, value);
  return type !== 'TXT' || found.has(plain) ? plain : (unquotedText(plain) ?? plain);
}

/** How far the servers of a zone agree: whether all that answer do, and the share of servers with the most common answer. */
export function decidePropagation(servers: readonly DnsServerAnswer[]): {
  consistent: boolean;
  convergedPercent: number;
} {
  const groups = new Map<string, number>();
  for (const { serial, records, error } of servers) {
    if (error !== null) continue;
    const answer = JSON.stringify([
      serial,
      Object.entries(records ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)),
    ]);
    groups.set(answer, (groups.get(answer) ?? 0) + 1);
  }
  const most = Math.max(0, ...groups.values());
  return {
    consistent: groups.size === 1,
    convergedPercent: servers.length === 0 ? 0 : Math.round((100 * most) / servers.length),
  };
}

function shown(values: readonly string[], none: string, joint = ', '): string {
  if (values.length === 0) return none;
  const list = values.slice(0, MOST_SHOWN).map((value) => (value.length > 80 ? `${cutText(value, 80)}…` : value));
  return list.join(joint) + (values.length > MOST_SHOWN ? ` and ${values.length - MOST_SHOWN} more` : '');
}
