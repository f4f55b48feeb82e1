import { Fault } from '@watchpost/shared/fault';
import type { AdminCommand } from '../command.js';
import { openSecretBox } from '../open-secret-box.js';
import { parseOptions } from '../parse-options.js';
import { resealAll } from './reseal.js';
import { SEALED_COLUMNS } from './sealed-columns.js';

/** `admin reseal`: the second step of a change of `ENCRYPTION_KEY`. */
export const resealCommand: AdminCommand = {
  name: 'reseal',
  usage: 'reseal',
  summary: 'Seal everything anew under the first key of ENCRYPTION_KEY, beside a running service.',
  check: (args) => parseOptions(resealCommand, args, {}),
  async run({ db, config, report }) {
    const secretBox = await openSecretBox(config);
    const { resealed, unreadable } = await resealAll({ db, secretBox }, SEALED_COLUMNS, report);
    if (unreadable > 0)
      throw new Fault(
        'unavailable',
        `${resealed} values were sealed anew, and ${unreadable} cannot be opened: ` +
          'put every former key behind the first one in ENCRYPTION_KEY, separated by commas, and run this again.',
      );
    if (resealed === 0) return ['Everything is sealed by the first key: nothing was changed.'];
    return [
      `${resealed === 1 ? '1 value was' : `${resealed} values were`} sealed anew. The former keys open nothing in the database any more.`,
      'Links and sessions that they signed work until you take them out of ENCRYPTION_KEY.',
    ];
  },
};
