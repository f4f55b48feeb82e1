import type { Tx } from '../../../platform/db/database.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';

export interface SealedSecretsRow {
  monitorKey: number;
  id: string;
  sealedSecrets: Buffer;
}

export const sealedSecretsStore = {
  /** The secrets that monitors of all workspaces send with their checks, for ingest. */
  async find(tx: Tx, monitorKeys: readonly number[]): Promise<SealedSecretsRow[]> {
    return keptStatements(tx).query<SealedSecretsRow>(
      `SELECT key AS "monitorKey", id, secrets AS "sealedSecrets"
       FROM monitor WHERE key = ANY ($1::bigint[]) AND secrets IS NOT NULL`,
      [monitorKeys],
    );
  },
};
