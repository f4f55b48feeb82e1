import { DAY_MS } from '@watchpost/shared/time';
import type { Clock } from '@watchpost/shared/clock';
import type { Transactions } from '../../../platform/db/database.js';
import { LATEST_MS } from '../../../platform/http/schemas.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { readTimeZone } from '../../workspaces/index.js';
import type { DuePreviewInput } from './due-preview-schemas.js';
import { nextDueMs } from './next-due.js';

/** The longest wait for a date: that of a 29 February on a weekday around 2100. It bounds the search for a rare one. */
const LOOK_AHEAD_MS = 40 * 366 * DAY_MS;

/** The next due times that a heartbeat with this rhythm would have, where each ping comes on time. */
export async function previewDueTimes(
  { db, clock }: { db: Transactions; clock: Clock },
  { workspace: { workspaceId } }: Actor,
  { every, cron, timezone, from, count }: DuePreviewInput,
): Promise<string[]> {
  const zone = timezone ?? (cron === undefined ? null : await db.read((tx) => readTimeZone(tx, workspaceId)));
  const rhythm = { everyMs: every ?? null, cron: cron ?? null, timezone: zone };
  const fromMs = from ?? clock.now();
  const untilMs = Math.min(fromMs + LOOK_AHEAD_MS, LATEST_MS);
  const times: string[] = [];
  for (let due = nextDueMs(rhythm, fromMs); due !== null && due <= untilMs; due = nextDueMs(rhythm, due)) {
    times.push(new Date(due).toISOString());
    if (times.length === count) break;
  }
  return times;
}
