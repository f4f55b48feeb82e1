import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

export const regionHealthStore = {
  /** Regions that have checks to run, and of which no agent was heard since then. */
  async unattended(tx: Tx, since: Date): Promise<Region[]> {
    const [checked, heard] = [
      await tx.query<{ region: number }>(`SELECT DISTINCT region FROM series WHERE counts_from < 'infinity'`),
      await tx.query<{ region: Region }>('SELECT DISTINCT region FROM agent_visibility WHERE last_seen > $1', [since]),
    ];
    const attended = new Set(heard.map(({ region }) => region));
    return checked.map(({ region }) => regionOfCode(region)).filter((region) => !attended.has(region));
  },
};
