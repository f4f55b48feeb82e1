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
