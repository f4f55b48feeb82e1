import { Fault } from '@watchpost/shared/fault';
import type { AdminCommand } from '../command.js';
import { openSecretBox } from '../open-admin-database.js';
import { parseOptions } from '../parse-options.js';
import { resealAll } from './reseal.js';
import { SEALED_GROUP_COLUMNS } from '../../../capabilities/group-settings/index.js';
import { SEALED_ID_TOKEN } from '../../../capabilities/sign-in/index.js';
import { SEALED_MARK } from '../../../platform/coordination/join-installation.js';
import type { SealedColumn } from '../../../platform/db/sealed-column.js';
import { SEALED_AUTHORITY_KEY } from '../../../capabilities/fleet/index.js';
import { SEALED_ANSWER } from '../../../platform/http/serving/answer-once.js';
import { SEALED_PROVIDER_SECRETS } from '../../../embedded/provider/provider-setup.js';
import { SEALED_MONITOR_COLUMNS } from '../../../capabilities/monitors/index.js';

/** Every sealed column of the database; a test walks the schema and finds no other. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...SEALED_MONITOR_COLUMNS,
  ...SEALED_GROUP_COLUMNS,
  SEALED_AUTHORITY_KEY,
  SEALED_PROVIDER_SECRETS,
  SEALED_ANSWER,
  SEALED_ID_TOKEN,
  // Last: a process with the new key alone starts only once everything else is sealed by it.
  SEALED_MARK,
];

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
