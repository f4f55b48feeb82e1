import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';

/** A message to operators, which customers do not see. */
export interface OperatorNotice {
  id: string;
  created: Date;
  kind: 'region_suspect' | 'region_trusted';
  /** API name; null if it concerns no region. */
  region: string | null;
  message: string;
  detail: Record<string, unknown>;
}

export const operatorNoticeStore = {
  async add(tx: Tx, notice: OperatorNotice): Promise<void> {
    await tx.query(
      'INSERT INTO operator_notice (id, created, kind, region, message, detail) VALUES ($1, $2, $3, $4, $5, $6)',
      [notice.id, notice.created, notice.kind, notice.region, notice.message, jsonText(notice.detail)],
    );
  },

  /** Newest first. */
  async list(tx: Tx, limit: number): Promise<OperatorNotice[]> {
    return tx.query(
      'SELECT id, created, kind, region, message, detail FROM operator_notice ORDER BY created DESC, id DESC LIMIT $1',
      [limit],
    );
  },

  /** @returns how many were deleted */
  async purge(tx: Tx, before: Date): Promise<number> {
    return tx.execute('DELETE FROM operator_notice WHERE created < $1', [before]);
  },
};
