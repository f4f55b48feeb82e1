import type { Tx } from '../../platform/db/database.js';
import { inTurns } from '../../platform/db/in-turns.js';
import { columnsOf } from '../../platform/db/columns.js';
import { entitlementsOf, PLAN_NAMES } from '../plans/index.js';
import type { DomainSettings } from './decide-domain.js';
import type { DomainReading } from './decide-reading.js';
import { DomainEntity } from './domain.entity.js';

interface KnownDomain {
  monitorKey: number;
  name: string;
  settings: Partial<DomainSettings>;
  /** Null before the first query is planned. */
  reading: DomainReading | null;
}

type SubjectRow = Omit<DomainEntity, 'name'> &
  Pick<KnownDomain, 'monitorKey' | 'settings'> & { url: string; name: string | null };

const PLANS = PLAN_NAMES.filter((plan) => entitlementsOf(plan).features.monitorTypes.includes('Domain'));
const WATCHED = `monitor.monitor_types = '{Domain}' AND monitor.deleted_at IS NULL`;
const SUBJECTS = `SELECT monitor.key AS "monitorKey", monitor.url, coalesce(monitor.settings -> 'domain', '{}') AS settings,
  ${columnsOf(DomainEntity, { from: 'domain' })} FROM monitor LEFT JOIN domain ON domain.name = monitor.url`;
/** The plan covers it, and nobody has paused it. */
const QUERIED = `monitor JOIN workspace_plan USING (workspace_id) LEFT JOIN domain ON domain.name = monitor.url
  WHERE ${WATCHED} AND monitor.monitoring_status = 'enabled'
    AND workspace_plan.plan IN (${PLANS.map((plan) => `'${plan}'`).join()})`;
const DUE = `(domain.name IS NULL OR domain.next_query <= $1)`;
const notHeld = (name: string) => `NOT EXISTS (SELECT FROM domain held
  WHERE held.held_until > $1 AND split_part(held.name, '.', -1) = split_part(${name}, '.', -1))`;
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

  /** Removes domains that nobody watches and that may be queried again, at most `limit`. */
  async forget(tx: Tx, now: Date, limit: number): Promise<void> {
    await tx.query(
      `DELETE FROM domain WHERE name IN (
         SELECT name FROM domain WHERE next_query <= $1
           AND NOT EXISTS (SELECT FROM monitor WHERE monitor.url = domain.name AND ${WATCHED}) LIMIT $2)`,
      [now, limit],
    );
  },

  /**
   * Takes domains that are new or due, which no other process then takes until `leased`. Owners take turns, and none is
   * taken whose registry asked for a pause.
   */
  async take(tx: Tx, now: Date, leased: Date, limit: number): Promise<{ name: string; reading: DomainReading }[]> {
    const rows = await tx.query<DomainEntity>(
      `INSERT INTO domain (name, next_query)
       SELECT url, $2 FROM (
         SELECT url FROM ${inTurns({
           columns: 'monitor.url',
           from: `${QUERIED} AND ${DUE} AND ${notHeld('monitor.url')}`,
           owner: 'workspace_plan.owner_id',
           order: 'next_query NULLS FIRST, url',
           most: '$3',
         })} AS wanted GROUP BY url ORDER BY min(turn), url LIMIT $3
       ) AS due ORDER BY url
       ON CONFLICT (name) DO UPDATE SET next_query = excluded.next_query WHERE domain.next_query <= $1
       RETURNING ${columnsOf(DomainEntity, { from: 'domain' })}`,
      [now, leased, limit],
    );
    return rows.map((row) => ({ name: row.name, reading: readingOf(row) }));
  },

  /**
   * Puts off the next query of a domain that was taken, before it is queried: a process that is killed then has not asked
   * too often. Returns false where it must not be queried, because another process took it, or its registry asked for a pause.
   */
  async begin(tx: Tx, name: string, moments: { now: Date; leased: Date; next: Date }): Promise<boolean> {
    const { now, leased, next } = moments;
    const begun = await tx.query(
      `UPDATE domain SET next_query = $4 WHERE name = $2 AND next_query = $3 AND ${notHeld('domain.name')} RETURNING name`,
      [now, name, leased, next],
    );
    return begun.length > 0;
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

  /** Counts the domains that are new or due, for the metric. */
  async countDue(tx: Tx, now: Date): Promise<number> {
    return (await tx.value<number>(`SELECT count(DISTINCT url)::integer FROM ${QUERIED} AND ${DUE}`, [now])) ?? 0;
  },
};
