import { z } from 'zod';
import type { AddressChoice } from '@watchpost/shared/checks/define-check';
import { shownInForms } from '../../../platform/http/define-settings.js';

const CHOICES: Readonly<Record<AddressChoice, string>> = {
  first: 'The first that accepts',
  ipv4: 'IPv4 only',
  ipv6: 'IPv6 only',
  each: 'Each of them',
};

/** Which addresses of a name the checks of a type connect to. */
export const addressesSettings = {
  addresses: z
    .enum(Object.keys(CHOICES) as AddressChoice[])
    .meta({
      description: 'Of the name: the first that accepts, of one family, or up to 10: partly down where some fail.',
      default: 'first',
    })
    .register(shownInForms, { label: 'Addresses', choices: CHOICES }),
  eachMustWork: z
    .boolean()
    .meta({
      description: 'With `each`: down, not partly, where one fails.',
      default: false,
    })
    .register(shownInForms, { label: 'Down where one of the addresses fails' }),
};
