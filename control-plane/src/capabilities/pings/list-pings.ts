import { notFound } from '@watchpost/shared/fault';
import type { Database, ListPage, Rows } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { PING_KIND_CODES, type PingKind, PING_KINDS } from '../heartbeats/index.js';
import type { PingView } from './ping-schemas.js';
import { type PingRow, pingStore } from './ping-store.js';

/** The pings of a heartbeat, newest first. @throws Fault not_found, also where the monitor is no heartbeat */
export async function listPings(
  { db }: { db: Database },
  { workspace }: Actor,
  monitorId: string,
  range: { startDate?: number | undefined; endDate?: number | undefined },
  page: Rows,
): Promise<ListPage<PingView>> {
  const dates = { from: dateOf(range.startDate), until: dateOf(range.endDate) };
  const { items: rows, total } = await db.read(async (tx) => {
    const key = await pingStore.heartbeatKey(workspace.workspaceId, tx, monitorId);
    if (key === undefined) throw notFound('heartbeat monitor');
    return pingStore.page(tx, key, dates, page);
  });
  return { items: rows.map(describePing), total };
}

function dateOf(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}

function describePing({ at, kind, ...ping }: PingRow): PingView {
  return { at: at.toISOString(), kind: kindOf(kind), ...ping };
}

function kindOf(code: number): PingKind {
  return PING_KINDS.find((kind) => PING_KIND_CODES[kind] === code)!;
}
