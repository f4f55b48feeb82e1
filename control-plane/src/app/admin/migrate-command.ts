import { Fault } from '@watchpost/shared/fault';
import { pino } from 'pino';
import { findSessionFault } from '../../platform/db/find-session-fault.js';
import { migrate } from '../../platform/db/migrate.js';
import { SchemaError } from '../../platform/db/schema-version.js';
import type { AdminCommand } from './command.js';
import { parseOptions } from './parse-options.js';

export const migrateCommand: AdminCommand = {
  name: 'migrate',
  usage: 'migrate',
  summary: 'Upgrade the database to this version, so that every process can have RUN_MIGRATIONS=0.',
  check: (args) => parseOptions(migrateCommand, args, {}),
  async run({ db }) {
    const fault = await findSessionFault(db);
    if (fault !== null) throw new Fault('unavailable', fault);
    try {
      const applied = await migrate(db, pino({ name: 'migrate' }, pino.destination(2)));
      return applied.length === 0 ? ['The database is up to date.'] : applied.map((name) => `applied: ${name}`);
    } catch (error) {
      if (error instanceof SchemaError) throw new Fault('unavailable', error.message);
      throw error;
    }
  },
};
