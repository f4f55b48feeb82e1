import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

export const agentKindStore = {
  /** The kinds of checks that at least one agent runs, by region; a region without a connected agent is missing. */
  async byRegion(tx: Tx): Promise<ReadonlyMap<Region, ReadonlySet<string>>> {
    const rows = await tx.query<{ region: Region; kinds: string[] }>(
      'SELECT region, array_agg(DISTINCT kind) AS kinds FROM agent_kind GROUP BY region',
    );
    return new Map(rows.map(({ region, kinds }) => [region, new Set(kinds)]));
  },
};
