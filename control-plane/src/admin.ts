import { systemClock } from '@watchpost/shared/clock';
import { AGENT_COMMANDS } from './app/admin/agent-commands.js';
import { AUTHORITY_COMMANDS } from './app/admin/authority-commands.js';
import type { AdminCommand } from './app/admin/command.js';
import { noticesCommand } from './app/admin/notices-command.js';
import { openAdminDatabase } from './app/admin/open-admin-database.js';
import { resealCommand } from './app/admin/reseal/reseal-command.js';
import { runAdmin } from './app/admin/run-admin.js';
import { tokenCommand } from './app/admin/token-command.js';
import { planListeners, suspensionListeners } from './app/compose-owner-changes.js';
import { ConfigError, readAdminConfig } from './config/config.js';
import { setPlanCommand } from './capabilities/plans/index.js';
import { suspensionCommands } from './capabilities/users/index.js';
import { mailboxCommand } from './embedded/mailbox/mailbox-command.js';

/** The operators' commands: `npm run --silent admin -- agents list`. They work beside a running service, on its database. */
const COMMANDS: readonly AdminCommand[] = [
  ...AGENT_COMMANDS,
  ...AUTHORITY_COMMANDS,
  setPlanCommand,
  ...suspensionCommands(suspensionListeners),
  tokenCommand,
  mailboxCommand,
  noticesCommand,
  resealCommand,
];

try {
  const config = readAdminConfig();
  const answer = await runAdmin(process.argv.slice(2), COMMANDS, async () => {
    const db = await openAdminDatabase(config);
    const clock = systemClock;
    const report = (line: string) => void process.stderr.write(`${line}\n`);
    return { deps: { db, clock, config, report, planListeners: planListeners({ clock }) }, close: () => db.close() };
  });
  for (const line of answer.stdout) process.stdout.write(`${line}\n`);
  for (const line of answer.stderr) process.stderr.write(`${line}\n`);
  process.exitCode = answer.exitCode;
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
