import { DNS_RECORD_TYPES } from '@watchpost/shared/checks/dns';
import type { DnsRecords } from '@watchpost/shared/outcome';
import type { DnsChange } from './dns-schemas.js';

/**
 * The differences between two answers about one name. The order of records does not count, and neither does a record type
 * that only one of them was queried for.
 */
export function decideDnsChanges(before: DnsRecords, after: DnsRecords): DnsChange[] {
  return DNS_RECORD_TYPES.flatMap((type) => {
    const [was, is] = [before[type], after[type]];
    if (!was || !is) return [];
    const added = missingFrom(was, is);
    const removed = missingFrom(is, was);
    return added.length + removed.length === 0 ? [] : [{ type, added, removed }];
  });
}

function missingFrom(known: readonly string[], values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => !known.includes(value)).toSorted();
}
