import type { Tx } from '../../platform/db/database.js';
import { columnsOf } from '../../platform/db/columns.js';
import type { DomainSettings } from './domain-settings.js';
import type { DomainReading } from './decide-reading.js';
import { DomainEntity } from './domain.entity.js';

/** A domain by one of its monitors. */
interface KnownDomain {
  monitorKey: number;
  name: string;
  settings: Partial<DomainSettings>;
  /** Null before the first query is planned. */
  reading: DomainReading | null;
}

type SubjectRow = Omit<DomainEntity, 'name'> &
  Pick<KnownDomain, 'monitorKey' | 'settings'> & { url: string; name: string | null };

const WATCHED = `monitor.monitor_types = '{Domain}' AND monitor.deleted_at IS NULL`;
const SUBJECTS = `SELECT monitor.key AS "monitorKey", monitor.url, coalesce(monitor.settings -> 'domain', '{}') AS settings,
  ${columnsOf(DomainEntity, { from: 'domain' })} FROM monitor LEFT JOIN domain ON domain.name = monitor.url`;
const msOf = (date: Date | null) => date?.getTime() ?? null;
const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));

function knownOf(row: SubjectRow): KnownDomain {
  const { monitorKey, url: name, settings } = row;
  return { monitorKey, name, settings, reading: row.name === null ? null : readingOf(row) };
}

function readingOf(row: Omit<DomainEntity, 'name'>): DomainReading {
  const { state, registrar, statuses, nameServers, source } = row;
  return {
    state,
    registrar,
    statuses,
    nameServers,
    source,
    expiresMs: msOf(row.expires),
    checkedMs: msOf(row.checked),
    nextQueryMs: row.nextQuery.getTime(),
    unconfirmedSinceMs: msOf(row.unconfirmedSince),
    heldUntilMs: msOf(row.heldUntil),
  };
}

/** Domains have no tenant: what a registry publishes is the same for all monitors of a domain. */
export const domainStore = {
  /** The domains of those of these monitors that are of type Domain; `settings` may lack defaults. */
  async subjects(tx: Tx, monitorKeys: readonly number[]): Promise<KnownDomain[]> {
    const rows = await tx.query<SubjectRow>(`${SUBJECTS} WHERE monitor.key = ANY ($1) AND ${WATCHED}`, [monitorKeys]);
    return rows.map(knownOf);
  },

  /** Of one monitor; undefined where the workspace has none of type Domain with this id. */
  async ofMonitor(workspaceId: string, tx: Tx, monitorId: string): Promise<KnownDomain | undefined> {
    const row = await tx.one<SubjectRow>(
      `${SUBJECTS}
       WHERE monitor.workspace_id = $1 AND monitor.id = $2 AND ${WATCHED}`,
      [workspaceId, monitorId],
    );
    return row && knownOf(row);
  },

  /** Adds the domains that are new, at most `limit`, and removes those that nobody watches and that may be queried again. */
  async follow(tx: Tx, now: Date, limit: number): Promise<void> {
    await tx.query(
      `INSERT INTO domain (name, next_query)
       SELECT DISTINCT url, $1::timestamptz FROM monitor
       WHERE ${WATCHED} AND NOT EXISTS (SELECT FROM domain WHERE domain.name = monitor.url) LIMIT $2
       ON CONFLICT (name) DO NOTHING`,
      [now, limit],
    );
    await tx.query(
      `DELETE FROM domain WHERE name IN (
         SELECT name FROM domain WHERE next_query <= $1
           AND NOT EXISTS (SELECT FROM monitor WHERE monitor.url = domain.name AND ${WATCHED}) LIMIT $2)`,
      [now, limit],
    );
  },

  /**
   * Takes domains that are due, which no other process then takes until `next`. Owners take turns, and none is taken whose
   * registry asked for a pause.
   */
  async take(tx: Tx, now: Date, next: Date, limit: number): Promise<{ name: string; reading: DomainReading }[]> {
    const rows = await tx.query<DomainEntity>(
      `WITH due AS (
         SELECT domain.name, min(turn) AS turn FROM domain JOIN (
           SELECT monitor.url, row_number() OVER (PARTITION BY monitor.owner_id ORDER BY domain.next_query, domain.name) AS turn
           FROM domain JOIN monitor ON monitor.url = domain.name
           WHERE domain.next_query <= $1 AND ${WATCHED} AND monitor.monitoring_status = 'enabled'
             AND NOT EXISTS (SELECT FROM domain held WHERE held.held_until > $1
               AND split_part(held.name, '.', -1) = split_part(domain.name, '.', -1))
         ) AS wanted ON wanted.url = domain.name GROUP BY domain.name ORDER BY turn, domain.name LIMIT $3
       ), locked AS (
         SELECT domain.name FROM domain JOIN due USING (name) WHERE domain.next_query <= $1
         ORDER BY domain.name FOR UPDATE OF domain SKIP LOCKED
       )
       UPDATE domain SET next_query = $2 FROM locked WHERE domain.name = locked.name
       RETURNING ${columnsOf(DomainEntity, { from: 'domain' })}`,
      [now, next, limit],
    );
    return rows.map((row) => ({ name: row.name, reading: readingOf(row) }));
  },

  /** Makes domains due again that were taken and not queried. */
  async release(tx: Tx, names: readonly string[], now: Date): Promise<void> {
    await tx.query('UPDATE domain SET next_query = $2 WHERE name = ANY ($1)', [names, now]);
  },

  /** Keeps a reading. @returns the monitors of the domain that are to be decided again, by workspace */
  async keep(tx: Tx, name: string, reading: DomainReading): Promise<{ workspaceId: string; monitorKeys: number[] }[]> {
    const { expiresMs, checkedMs, nextQueryMs, unconfirmedSinceMs, heldUntilMs, ...kept } = reading;
    await tx.manager.update(DomainEntity, name, {
      ...kept,
      expires: dateOf(expiresMs),
      checked: dateOf(checkedMs),
      nextQuery: new Date(nextQueryMs),
      unconfirmedSince: dateOf(unconfirmedSinceMs),
      heldUntil: dateOf(heldUntilMs),
    });
    return tx.query(
      `SELECT workspace_id AS "workspaceId", array_agg(key::float8 ORDER BY key) AS "monitorKeys"
       FROM monitor WHERE url = $1 AND ${WATCHED} GROUP BY workspace_id ORDER BY workspace_id`,
      [name],
    );
  },

  /** How many domains are due, for the metric. */
  async countDue(tx: Tx, now: Date): Promise<number> {
    const row = await tx.one<{ due: number }>('SELECT count(*)::integer AS due FROM domain WHERE next_query <= $1', [
      now,
    ]);
    return row!.due;
  },
};
