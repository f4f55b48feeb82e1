import { SEALED_GROUP_COLUMNS } from '../../alerts/index.js';
import { SEALED_MARK } from '../../coordination/join-installation.js';
import type { SealedColumn } from '../../db/sealed-column.js';
import { SEALED_AUTHORITY_KEY } from '../../fleet/index.js';
import { SEALED_ANSWER } from '../../http/serving/answer-once.js';
import { SEALED_PROVIDER_SECRETS } from '../../identity/embedded-provider/provider-setup.js';
import { SEALED_MONITOR_SECRETS } from '../../monitors/index.js';

/** Every sealed column of the database; a test walks the schema and finds no other. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_MONITOR_SECRETS,
  ...SEALED_GROUP_COLUMNS,
  SEALED_AUTHORITY_KEY,
  SEALED_PROVIDER_SECRETS,
  SEALED_ANSWER,
  // Last: a process with the new key alone starts only once everything else is sealed by it.
  SEALED_MARK,
];
