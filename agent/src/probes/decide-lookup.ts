import type { DnsRecordType } from '@watchpost/shared/checks/dns';
import { recordsOf, valuesOf, type Reply } from '@watchpost/shared/names/dns-reply';
import type { DnsFailures, DnsRecords } from '@watchpost/shared/outcome';

export interface TypeReply {
  type: DnsRecordType;
  reply: Reply;
}

/** A record type is answered, empty (a list without values) or failed. */
export interface Lookup {
  records: DnsRecords;
  failures: DnsFailures;
}

/** What a resolver states about each record type: zones and middleboxes that fail for one type serve the others. */
export function readLookup(hostname: string, replies: readonly TypeReply[]): Lookup {
  const lookup: Lookup = { records: {}, failures: {} };
  for (const { type, reply } of replies) {
    const why = failureOf(reply);
    if (why === null && reply.kind === 'answer') lookup.records[type] = recordsOf(reply.message, type);
    else lookup.failures[type] = why ?? '';
  }
  if (lookup.failures.CNAME === undefined) return lookup;
  // An alias to a name that fails is in the answers about the other types.
  const aliases = replies.flatMap(({ reply }) => aliasOf(hostname, reply));
  if (aliases.length === 0) return lookup;
  const { CNAME: _, ...failures } = lookup.failures;
  return { records: { ...lookup.records, CNAME: [...new Set(aliases)].sort() }, failures };
}

/** Whether a lookup has any record. An alias alone is none where addresses, and all else that was asked for, failed: it leads nowhere. */
export function isAnswered({ records, failures }: Lookup): boolean {
  const { CNAME = [], ...others } = records;
  if (Object.values(others).some((values) => values.length > 0)) return true;
  const leadsNowhere = Object.keys(others).length === 0 && (failures.A !== undefined || failures.AAAA !== undefined);
  return CNAME.length > 0 && !leadsNowhere;
}

/** The failed types that make the check fail: those with an expectation, or all of them where no type has a record. */
export function decisiveTypes(lookup: Lookup, expected: readonly DnsRecordType[]): DnsRecordType[] {
  const failed = Object.keys(lookup.failures) as DnsRecordType[];
  return isAnswered(lookup) ? failed.filter((type) => expected.includes(type)) : failed;
}

/** The failures of these types in words: `SERVFAIL for A and AAAA records; no answer for TXT records`. */
export function failuresText(failures: DnsFailures, types: readonly DnsRecordType[]): string {
  const reasons = [...new Set(types.map((type) => failures[type]))];
  return reasons
    .map((why) => `${why} for ${listText(types.filter((type) => failures[type] === why))} records`)
    .join('; ');
}

/** Null for a reply that has the records of a type, or states that there are none. */
export function failureOf(reply: Reply): string | null {
  switch (reply.kind) {
    case 'answer': {
      const { rcode } = reply.message;
      return rcode === 'NOERROR' ? null : rcode;
    }
    case 'silent':
      return 'no answer';
    case 'garbled':
      return 'an invalid response';
    case 'refused':
      return 'a closed port';
    case 'cut':
      return 'a truncated response';
    case 'unreachable':
      return reply.code;
  }
}

function aliasOf(hostname: string, reply: Reply): string[] {
  return reply.kind === 'answer' ? valuesOf(reply.message, 'CNAME', hostname) : [];
}

function listText(types: readonly string[]): string {
  return types.length === 1 ? types[0]! : `${types.slice(0, -1).join(', ')} and ${types.at(-1)!}`;
}
