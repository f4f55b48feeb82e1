import { systemClock } from '@watchpost/shared/clock';
import { AGENT_COMMANDS } from './admin/agent-commands.js';
import type { AdminCommand } from './admin/command.js';
import { openAdminDatabase } from './admin/open-admin-database.js';
import { runAdmin } from './admin/run-admin.js';
import { ConfigError, readAdminConfig } from './config.js';
import { setPlanCommand } from './plans/index.js';

/** The operators' commands: `npm run --silent admin -- agents list`. They work beside a running service, on its database. */
const COMMANDS: readonly AdminCommand[] = [...AGENT_COMMANDS, setPlanCommand];

try {
  const config = readAdminConfig();
  const answer = await runAdmin(process.argv.slice(2), COMMANDS, async () => {
    const db = await openAdminDatabase(config);
    return { deps: { db, clock: systemClock, config }, close: () => db.close() };
  });
  for (const line of answer.stdout) console.log(line);
  for (const line of answer.stderr) console.error(line);
  process.exitCode = answer.exitCode;
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
