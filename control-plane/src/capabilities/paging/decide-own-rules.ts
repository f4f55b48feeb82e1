import { parseDuration } from '@watchpost/shared/duration';
import type { OwnChannel } from '../workspaces/index.js';
import type { ContactPreferences } from './reachable-member.js';

/** An address at which a person can be reached. */
export interface OwnAddress {
  channel: OwnChannel;
  /** As others may see it. */
  address: string;
  /** The id of the contact method, where that has the whole address. */
  key?: string;
}

/** An address, and how long after the beginning of a page it is used. */
export type TimedAddress = OwnAddress & { afterMs: number };

/**
 * Decides when which address of a person is used for a page: by the person's rules, or at once by mail and SMS where these
 * are switched on.
 * @returns the earliest first
 */
export function decideOwnRules(
  { rules, email, sms }: Pick<ContactPreferences, 'rules' | 'email' | 'sms'>,
  addresses: readonly OwnAddress[],
): TimedAddress[] {
  const followed: { afterMs: number; channel: OwnChannel }[] = rules
    ? rules.map(({ after, channel }) => ({ afterMs: parseDuration(after) ?? 0, channel }))
    : [
        ...(email === false ? [] : [{ afterMs: 0, channel: 'email' } as const]),
        ...(sms === true ? [{ afterMs: 0, channel: 'sms' } as const] : []),
      ];
  return followed
    .toSorted((one, other) => one.afterMs - other.afterMs)
    .flatMap(({ afterMs, channel }) =>
      addresses.filter((one) => one.channel === channel).map((one) => ({ ...one, afterMs })),
    );
}
