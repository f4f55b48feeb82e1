import type { Tx } from './database.js';

/** The connection that each control-plane process holds as long as it runs is named after this and the schema version. */
const GUARD = 'watchpost guard';

/** @returns the name of the guard connection of a process of this schema version */
export function guardName(schemaVersion: number): string {
  return `${GUARD} ${schemaVersion}`;
}

/** Finds running processes of versions before `version`. @returns a description of each, for people */
export async function findFormerProcesses(tx: Pick<Tx, 'query'>, version: number): Promise<string[]> {
  const rows = await tx.query<{ pid: number; address: string | null; version: number }>(
    `SELECT pid, host(client_addr) AS address, version
       FROM pg_stat_activity,
            LATERAL (SELECT coalesce(substring(application_name FROM '\\d+$')::int, 0) AS version) AS named
      WHERE datname = current_database() AND application_name LIKE $1 AND version < $2 ORDER BY backend_start`,
    [`${GUARD}%`, version],
  );
  return rows.map(
    ({ pid, address, version: own }) =>
      `a control plane ${own === 0 ? 'without a schema version' : `of schema version ${own}`}` +
      `${address ? ` from ${address}` : ''} (PostgreSQL backend ${pid})`,
  );
}
