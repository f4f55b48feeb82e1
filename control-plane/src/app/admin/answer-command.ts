import { systemClock } from '@watchpost/shared/clock';
import { ACCOUNT_COMMANDS } from './account-commands.js';
import { AGENT_COMMANDS } from './agent-commands.js';
import { AUTHORITY_COMMANDS } from './authority-commands.js';
import type { AdminCommand } from './command.js';
import { migrateCommand } from './migrate-command.js';
import { noticesCommand } from './notices-command.js';
import { openAdminDatabase } from './open-admin-database.js';
import { resealCommand } from './reseal/reseal-command.js';
import { runAdmin, type AdminAnswer } from './run-admin.js';
import { setPlanCommand } from './set-plan-command.js';
import { SUSPENSION_COMMANDS } from './suspension-commands.js';
import { tokenCommand } from './token-command.js';
import type { AdminConfig } from '../../config/config.js';
import { mailboxCommand } from '../../embedded/mailbox/mailbox-command.js';

/** The operators' commands: `npm run --silent admin -- agents list`. They work beside a running service, on its database. */
const COMMANDS: readonly AdminCommand[] = [
  ...AGENT_COMMANDS,
  ...AUTHORITY_COMMANDS,
  ...ACCOUNT_COMMANDS,
  setPlanCommand,
  ...SUSPENSION_COMMANDS,
  tokenCommand,
  mailboxCommand,
  noticesCommand,
  migrateCommand,
  resealCommand,
];

/** Runs one of the operators' commands on the database that `config` names. */
export function answerCommand(argv: readonly string[], config: AdminConfig): Promise<AdminAnswer> {
  return runAdmin(argv, COMMANDS, async () => {
    const db = await openAdminDatabase(config);
    const report = (line: string) => void process.stderr.write(`${line}\n`);
    return { deps: { db, clock: systemClock, config, report }, close: () => db.close() };
  });
}
