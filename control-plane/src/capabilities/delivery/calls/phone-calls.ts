import type { Clock } from '@watchpost/shared/clock';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Transactions } from '../../../platform/db/database.js';
import { type Notification, TEMPLATE_FAILED } from '../../channels/index.js';
import { addTimelineEntries } from '../../timeline/index.js';
import { TEST_PURPOSE } from '../queue/delivery.js';
import { noteOf } from '../sending/record-outcome.js';
import { callStore } from './call-store.js';

/** How long after its delivery was made anything is taken from a call: as long as a link to acknowledge works. */
const CALL_LIFETIME_MS = 12 * HOUR_MS;
/** The waits until a number is called again that did not answer. */
const CALL_AGAIN_MS: readonly number[] = [MINUTE_MS, 3 * MINUTE_MS];

const ANSWERED = 'The call was answered.';
const ENDS: Readonly<Record<string, string>> = {
  completed: ANSWERED,
  busy: 'The line was busy.',
  'no-answer': 'Nobody answered the call.',
  failed: 'The call could not be connected.',
  canceled: 'The call was ended before anybody answered.',
};

interface Call {
  workspaceId: string;
  phoneNumber: string;
  incidentIds: string[];
  notifications: readonly [Notification, ...Notification[]];
  /** The one that its group has now; null where it has none. */
  template: string | null;
}

/** Reads a call by the id of its message; undefined where there is none, or it is too old. */
async function read({ db, clock }: { db: Transactions; clock: Clock }, messageId: string): Promise<Call | undefined> {
  const rows = await db.read((tx) => callStore.find(tx, messageId, new Date(clock.now() - CALL_LIFETIME_MS)));
  const [first] = rows;
  return (
    first && {
      workspaceId: first.workspaceId,
      phoneNumber: first.address,
      incidentIds: [...new Set(rows.flatMap(({ incidentId }) => incidentId ?? []))],
      notifications: rows.map(({ event }) => ({ event, extra: {} })) as [Notification, ...Notification[]],
      template: first.template,
    }
  );
}

/**
 * Records how a call ended, on the timelines of its incidents too. A number that did not answer is called again, twice at
 * most. A repeated report changes nothing.
 * @param status as the provider names it; any other than those of an end changes nothing
 */
async function recordEnd(
  { db, clock }: { db: Transactions; clock: Clock },
  messageId: string,
  status: string,
): Promise<void> {
  const end = Object.hasOwn(ENDS, status) ? ENDS[status]! : null;
  if (end === null) return;
  const nowMs = clock.now();
  await db.transaction(async (tx) => {
    const rows = await callStore.find(tx, messageId, new Date(nowMs - CALL_LIFETIME_MS), 'FOR UPDATE OF d');
    const open = rows.filter(
      (row) => row.state === 'delivered' && !Object.values(ENDS).some((one) => row.answer?.startsWith(one)),
    );
    const [first] = open;
    if (!first) return;
    const waitMs = first.purpose === TEST_PURPOSE ? undefined : CALL_AGAIN_MS[first.attempts - 1];
    const note = first.answer?.indexOf(TEMPLATE_FAILED) ?? -1;
    const answer = note === -1 ? end : `${end} ${first.answer!.slice(note)}`;
    const state = end === ANSWERED ? 'delivered' : waitMs === undefined ? 'failed' : 'waiting';
    const next = state === 'waiting' ? new Date(nowMs + waitMs!) : null;
    const ids = open.map(({ id }) => id);
    await callStore.end(first, tx, ids, { state, answer, at: new Date(nowMs), next });
    if (state === 'waiting') return;
    const done = { state, answer, messageId, count: open.length } as const;
    await addTimelineEntries(
      tx,
      open.flatMap((row) => noteOf(row, row, done, nowMs)),
    );
  });
}

export const phoneCalls = { read, recordEnd };
