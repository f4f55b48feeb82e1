import type pg from 'pg';
import { readMetrics } from './read-metrics.js';

export interface TableFigures {
  name: string;
  bytes: number;
  live: number;
  dead: number;
  updates: number;
  /** Of the updates, the share that changed no index. */
  hotShare: number;
  autovacuums: number;
}

/** The tables that work most, partitions added up. */
export async function readTables(client: pg.Client): Promise<TableFigures[]> {
  const { rows } = await client.query<Record<Exclude<keyof TableFigures, 'name'>, string | null> & { name: string }>(
    `SELECT regexp_replace(relname, '_p?[0-9]{6,}$', '') AS name, sum(pg_total_relation_size(relid)) AS bytes,
       sum(n_live_tup) AS live, sum(n_dead_tup) AS dead, sum(n_tup_upd) AS updates,
       sum(n_tup_hot_upd)::float8 / nullif(sum(n_tup_upd), 0) AS "hotShare", sum(autovacuum_count) AS autovacuums
     FROM pg_stat_user_tables GROUP BY 1 ORDER BY sum(n_tup_ins + n_tup_upd) DESC LIMIT 8`,
  );
  return rows.map(({ name, ...figures }) => {
    const of = (key: keyof typeof figures): number => Number(figures[key] ?? 0);
    return {
      name,
      bytes: of('bytes'),
      live: of('live'),
      dead: of('dead'),
      updates: of('updates'),
      hotShare: of('hotShare'),
      autovacuums: of('autovacuums'),
    };
  });
}

/** How many results came twice, by the metrics of the control planes. */
export async function readRepeated(metricsPorts: readonly number[]): Promise<number> {
  return (await readMetrics(metricsPorts))('watchpost_results_repeated_total');
}
