import type { AddressResult } from '@watchpost/shared/outcome';

export interface KnownAddress extends Omit<AddressResult, 'message'> {
  /** The first check of the row in which it had its status. */
  sinceMs: number;
}

/** The addresses after a check; one whose status stays has it since when it had. */
export function decideAddressChanges(
  before: readonly KnownAddress[],
  found: readonly AddressResult[],
  scheduledAtMs: number,
): KnownAddress[] {
  const known = new Map(before.map((one) => [one.address, one]));
  return found.map(({ message: _, ...one }) => {
    const last = known.get(one.address);
    return { ...one, sinceMs: last?.status === one.status ? last.sinceMs : scheduledAtMs };
  });
}
