import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { type Ping, PING_KIND_CODES } from '../heartbeats/index.js';

export interface PingTarget {
  monitorKey: number;
  workspaceId: string;
  ownerId: string;
}

export interface StoredPing extends Ping {
  monitorKey: number;
  runtimeMs: number | null;
}

export interface PingRow {
  at: Date;
  kind: number;
  exitCode: number | null;
  rid: string | null;
  runtimeMs: number | null;
  remoteAddress: string | null;
  userAgent: string | null;
  body: string | null;
}

/** Pings of any workspace: a token is its sender's only credential. */
export const pingStore = {
  /** @returns the targets of these tokens, by the hash in hex; an unknown token has none */
  async targets(tx: Tx, hashes: readonly Buffer[]): Promise<Map<string, PingTarget>> {
    const rows = await tx.query<PingTarget & { hash: string }>(
      `SELECT encode(hash, 'hex') AS hash, monitor_key AS "monitorKey", workspace_id AS "workspaceId",
         owner_id AS "ownerId"
       FROM (SELECT monitor_id, hash FROM ping_token WHERE hash = ANY ($1)
         UNION ALL SELECT monitor_id, hash FROM imported_ping_token WHERE hash = ANY ($1)) token
       JOIN heartbeat_subject USING (monitor_id)`,
      [hashes],
    );
    return new Map(rows.map(({ hash, ...target }) => [hash, target]));
  },

  /** The tokens of all workspaces that were pinged last. */
  async latestTokens(tx: Tx, limit: number): Promise<{ hash: Buffer; ownerId: string }[]> {
    return tx.query(
      `SELECT token.hash, subject.owner_id AS "ownerId"
       FROM (SELECT monitor_id, hash FROM ping_token UNION ALL SELECT monitor_id, hash FROM imported_ping_token) token
       JOIN heartbeat_subject subject USING (monitor_id) JOIN heartbeat USING (monitor_key)
       WHERE heartbeat.last_ping IS NOT NULL ORDER BY heartbeat.last_ping DESC LIMIT $1`,
      [limit],
    );
  },

  /** Adds pings of monitors of any workspace: their tokens were checked. */
  async add(tx: Tx, pings: readonly StoredPing[]): Promise<void> {
    if (pings.length === 0) return;
    const of = <Value>(read: (ping: StoredPing) => Value) => pings.map((ping) => read(ping));
    await tx.query(
      `INSERT INTO ping (monitor_key, at, kind, exit_code, rid, runtime_ms, remote_address, user_agent, body)
       SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::smallint[], $4::smallint[], $5::text[], $6::bigint[], $7::text[],
         $8::text[], $9::text[])`,
      [
        of(({ monitorKey }) => monitorKey),
        of(({ atMs }) => new Date(atMs)),
        of(({ kind }) => PING_KIND_CODES[kind]),
        of(({ exitCode }) => exitCode),
        of(({ rid }) => rid),
        of(({ runtimeMs }) => runtimeMs),
        of(({ remoteAddress }) => remoteAddress),
        of(({ userAgent }) => userAgent),
        of(({ body }) => body),
      ],
    );
  },

  /** @returns the key of a heartbeat that is not deleted */
  async heartbeatKey(workspaceId: string, tx: Tx, monitorId: string): Promise<number | undefined> {
    return tx.value('SELECT monitor_key AS key FROM heartbeat_subject WHERE workspace_id = $1 AND monitor_id = $2', [
      workspaceId,
      monitorId,
    ]);
  },

  /** The pings of a heartbeat, newest first. The key must be of the workspace: `heartbeatKey`. */
  async page(
    tx: Tx,
    monitorKey: number,
    range: { from: Date | null; until: Date | null },
    rows: Rows,
  ): Promise<ListPage<PingRow>> {
    const where = `monitor_key = $1 AND ($2::timestamptz IS NULL OR at >= $2) AND ($3::timestamptz IS NULL OR at < $3)`;
    const columns = `at, kind, exit_code AS "exitCode", rid, runtime_ms AS "runtimeMs", remote_address AS "remoteAddress",
      user_agent AS "userAgent", body`;
    const list = { columns, from: 'ping', where, orderBy: 'at DESC, seq DESC' };
    return tx.page(list, [monitorKey, range.from, range.until], rows);
  },

  /** Removes pings of all workspaces that are older than kept. @returns how many */
  async purge(tx: Tx, before: Date, limit: number): Promise<number> {
    return tx.execute('DELETE FROM ping WHERE ctid = ANY (ARRAY(SELECT ctid FROM ping WHERE at < $1 LIMIT $2))', [
      before,
      limit,
    ]);
  },

  /** Removes changes of state of all workspaces before `before`, except the last one of each heartbeat. @returns how many */
  async purgeChanges(tx: Tx, before: Date, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM heartbeat_change WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM heartbeat_change old WHERE at < $1 AND EXISTS (SELECT FROM heartbeat_change later
           WHERE later.monitor_key = old.monitor_key AND later.at > old.at AND later.at <= $1) LIMIT $2))`,
      [before, limit],
    );
  },

  /** Removes all that purged monitors left. @returns how many rows */
  async erase(tx: Tx, monitorKeys: readonly number[]): Promise<number> {
    const pings = await tx.execute('DELETE FROM ping WHERE monitor_key = ANY ($1)', [monitorKeys]);
    return pings + (await tx.execute('DELETE FROM heartbeat_change WHERE monitor_key = ANY ($1)', [monitorKeys]));
  },
};
