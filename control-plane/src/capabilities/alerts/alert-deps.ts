import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import type { RecipientRules } from './recipients/decide-recipient-state.js';

/** What reading and changing action groups takes. */
export interface AlertDeps extends RecipientRules {
  db: Database;
  clock: Clock;
  secretBox: SecretBox;
}

/** Throws where the caller's copy of the resource is out of date. */
export type CheckPrecondition<Resource> = (current: Resource) => void;
