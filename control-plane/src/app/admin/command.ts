import type { Clock } from '@watchpost/shared/clock';
import type { AdminConfig } from '../../config/config.js';
import type { Database } from '../../platform/db/database.js';

export interface AdminDeps {
  db: Database;
  clock: Clock;
  config: AdminConfig;
  /** Prints progress, apart from the answer. */
  report?: (line: string) => void;
}

export interface AdminCommand {
  /** One word or several: `agents create`. */
  readonly name: string;
  /** As in `usage: agents create --region R --name N`. */
  readonly usage: string;
  readonly summary: string;
  /**
   * Checks the options alone, so that a mistyped option is reported without a database.
   * @throws Fault `validation_failed`
   */
  readonly check?: (args: readonly string[]) => unknown;
  /**
   * @param args what follows the name
   * @returns the lines for standard output
   * @throws Fault; `validation_failed` is a usage error
   */
  run(deps: AdminDeps, args: readonly string[]): Promise<string[]>;
}
