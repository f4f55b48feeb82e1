import { z } from 'zod';
import type { AddressChoice } from '@watchpost/shared/checks/define-check';
import { shownInForms } from '../../../platform/http/define-settings.js';

const CHOICES: Readonly<Record<AddressChoice, string>> = {
  first: 'The first that accepts',
  ipv4: 'IPv4 only',
  ipv6: 'IPv6 only',
};

/** Which addresses of a name the checks of a type connect to. */
export const addressesSetting = z
  .enum(Object.keys(CHOICES) as AddressChoice[])
  .meta({
    description:
      '`first`: the first address of the name that accepts the connection, as browsers choose it (RFC 8305); `ipv4`, `ipv6`: addresses of this ' +
      'family alone. A name without one is down; an agent without a route to the family is inconclusive.',
    default: 'first',
    example: 'ipv6',
  })
  .register(shownInForms, { label: 'Addresses', choices: CHOICES });
