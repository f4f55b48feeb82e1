import type { Tx } from '../../platform/db/database.js';

/** The transaction of the statement; revisions above it are of another numbering, from before a restore into a new server. */
const NOW = 'pg_current_xact_id()::text::bigint';

/** The newest revision of a monitor that was purged. */
export const purgedRevisionStore = {
  /** Notes the revisions of monitors that this transaction has purged. */
  async note(tx: Tx, purged: readonly { revision: number }[]): Promise<void> {
    if (purged.length === 0) return;
    await tx.query(
      `INSERT INTO purged_revision AS known (revision) VALUES ($1)
       ON CONFLICT (is_only) DO UPDATE SET revision = CASE WHEN known.revision > ${NOW} THEN excluded.revision
         ELSE greatest(known.revision, excluded.revision) END`,
      [Math.max(...purged.map(({ revision }) => revision))],
    );
  },
};
