import { databaseErrorOf } from '../../../platform/db/database-error.js';
import type { Tx } from '../../../platform/db/database.js';
import type { SeriesTable } from './decide-rebuild.js';

/** Results and sweeps queue behind the request for the lock. */
const LOCK_TIMEOUT_MS = 1_000;
/** Less than agents, requests and the freshness of results can wait. */
const REBUILD_TIMEOUT_MS = 15_000;

export const REBUILD_OUTCOMES = ['done', 'busy', 'too_slow'] as const;
export type RebuildOutcome = (typeof REBUILD_OUTCOMES)[number];

const OUTCOME_OF_CODE: Partial<Record<string, RebuildOutcome>> = { '55P03': 'busy', '57014': 'too_slow' };

export const seriesTableStore = {
  async size(tx: Tx): Promise<SeriesTable> {
    const [row] = await tx.query<SeriesTable>(
      `SELECT pg_relation_size(oid) AS bytes, reltuples::float8 AS rows FROM pg_class WHERE oid = 'series'::regclass`,
    );
    return row!;
  },

  /** Writes the table and its indexes anew, under an exclusive lock. Needs a connection without a transaction. */
  async rebuild(tx: Tx): Promise<RebuildOutcome> {
    try {
      await tx.query(`SELECT set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', false),
        set_config('statement_timeout', '${REBUILD_TIMEOUT_MS}', false)`);
      await tx.query('VACUUM (FULL) series');
      return 'done';
    } catch (error) {
      const outcome = OUTCOME_OF_CODE[databaseErrorOf(error)?.code ?? ''];
      if (!outcome) throw error;
      return outcome;
    } finally {
      await tx.query('RESET lock_timeout');
      await tx.query('RESET statement_timeout');
    }
  },
};
