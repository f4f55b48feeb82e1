import type { Tx } from '../../../platform/db/database.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';

export interface ProbeHeaderRow {
  monitorKey: number;
  id: string;
  headers: Record<string, string>;
  httpSecrets: Buffer | null;
}

export const probeHeaderStore = {
  /** Headers that monitors of all workspaces send with their HTTP checks, for ingest. */
  async find(tx: Tx, monitorKeys: readonly number[]): Promise<ProbeHeaderRow[]> {
    return keptStatements(tx).query<ProbeHeaderRow>(
      `SELECT key AS "monitorKey", id, coalesce(settings -> 'http' -> 'headers', '{}') AS headers, http_secrets AS "httpSecrets"
       FROM monitor WHERE key = ANY ($1::bigint[])`,
      [monitorKeys],
    );
  },
};
