import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.js';
import type { Coordination } from '../platform/coordination/coordination.js';
import type { Database } from '../platform/db/database.js';
import type { SecretBox } from '../platform/db/secret-box.js';

/** What a process gives to each capability that it composes. */
export interface Platform {
  config: Config;
  db: Database;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  secretBox: SecretBox;
  /** Where callers reach this process, without a slash at the end; default: from the configuration. */
  baseUrl?: string;
  /** Default: of a process that is alone on its database. */
  coordination?: Coordination;
  /** Whether this process is about to stop. Default: it is not. */
  isStopping?: () => boolean;
  /** Whether this process does what one process of all does. Default: it does. */
  leads?: () => Promise<boolean>;
}
