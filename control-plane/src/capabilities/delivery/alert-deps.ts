import type { Clock } from '@watchpost/shared/clock';
import type { Transactions } from '../../platform/db/database.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import type { RecipientRules } from './admission/decide-recipient-state.js';

export interface AlertDeps extends RecipientRules {
  db: Transactions;
  clock: Clock;
  secretBox: SecretBox;
}

export const READ_ALERTS = ['monitor.admin', 'alert.read'] as const;
export const WRITE_ALERTS = ['monitor.admin', 'alert.write'] as const;
