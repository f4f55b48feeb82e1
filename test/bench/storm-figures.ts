import type pg from 'pg';
import { groupBy } from '@watchpost/shared/group-by';
import type { StormReport } from './storm-fleet.js';
import type { HookCall, ReceiverReport } from './storm-receivers.js';
import type { StormWorld } from './storm-world.js';

export interface StormJudgement {
  /** Incidents that were opened or resolved. */
  incidents: number;
  perSecond: number;
  /** From sending the result that decided until its acknowledgement, which follows the commit, ms. */
  changes: number[];
  /** From the decision about the incident until the message was there, ms. */
  waits: Record<'pages' | 'hooks' | 'mails', number[]>;
  /** From the first incident of a person on call until the first page of that person, ms. */
  firstPages: number[];
  /** Mails in which the pages arrived. */
  pageMails: number;
  lost: number;
  doubled: number;
  disordered: number;
  /** Deliveries that were refused or given up. */
  dropped: number;
}

interface Sent {
  /** A message to a person may contain several deliveries. */
  messageId: string;
  eventId: string;
  purpose: string;
  state: string;
  seq: number;
  sinceMs: number;
}

/** Compares what the receivers got with what the monitors, their groups and teams cause. */
export async function judgeStorm(
  client: pg.Client,
  world: StormWorld,
  type: 'incident.opened' | 'incident.resolved',
  report: StormReport,
  received: ReceiverReport,
): Promise<StormJudgement> {
  const column = type === 'incident.opened' ? 'started' : 'ended';
  // Each monitor has one incident, so what is opened or resolved is found by the type of the event.
  const { rows: sent } = await client.query<Sent>(
    `SELECT coalesce(d.message_id, d.id) AS "messageId", d.event_id AS "eventId", d.purpose, d.state, d.seq::integer AS seq,
       (extract(epoch FROM incident.${column}) * 1000)::float8 AS "sinceMs"
     FROM delivery d JOIN alert_event e ON e.id = d.event_id JOIN incident ON incident.id = e.incident_id
     WHERE e.type = $1`,
    [type],
  );
  const { rows: times } = await client.query<{ count: number; seconds: number }>(
    `SELECT count(*)::integer AS count, extract(epoch FROM max(${column}) - min(${column}))::float8 AS seconds
     FROM incident WHERE ${column} IS NOT NULL`,
  );
  const { count, seconds } = times[0]!;
  const bySeq = new Map(sent.map(({ eventId, seq }) => [eventId, seq]));
  const byMessage = groupBy(sent, ({ messageId }) => messageId);
  const hooks = onceEach(received.hooks, ({ hook, id }) => `${hook} ${id}`);
  const mails = onceEach(received.mails, ({ id }) => id).filter(({ id }) => byMessage.has(id));
  const monitors = new Set(hooks.map(({ monitorId }) => monitorId));
  const all = world.workspaces.reduce((sum, { monitors: own }) => sum + own.length, 0);
  const arrived = mails.flatMap(({ id, to, atMs }) => byMessage.get(id)!.map((one) => ({ ...one, to, atMs })));
  const isPage = ({ purpose }: Sent): boolean => purpose.startsWith('page');
  const pages = arrived.filter(isPage);
  const others = arrived.filter((one) => !isPage(one));
  const waitOf = ({ sinceMs, atMs }: { sinceMs: number; atMs: number }): number => atMs - sinceMs;
  return {
    incidents: count,
    perSecond: count / seconds,
    changes: report.map(([, sentMs, acknowledgedMs]) => acknowledgedMs - sentMs),
    waits: {
      pages: pages.map(waitOf),
      hooks: hooks.map(({ atMs, sinceMs }) => atMs - sinceMs),
      mails: others.map(waitOf),
    },
    firstPages: [...groupBy(pages, ({ to }) => to).values()].map(
      (own) => Math.min(...own.map(({ atMs }) => atMs)) - Math.min(...own.map(({ sinceMs }) => sinceMs)),
    ),
    lost: all - monitors.size + (world.paged - pages.length) + (world.mailed - others.length),
    doubled: received.hooks.length - monitors.size + received.mails.length - mails.length,
    pageMails: new Set(pages.map(({ messageId }) => messageId)).size,
    disordered: countDisordered(hooks, bySeq),
    dropped: sent.filter(({ state }) => state === 'failed').length,
  };
}

/** How many messages of a receiver came after a later one. */
function countDisordered(hooks: readonly HookCall[], bySeq: ReadonlyMap<string, number>): number {
  const last = new Map<number, number>();
  let count = 0;
  for (const { hook, id } of hooks) {
    const seq = bySeq.get(id) ?? 0;
    if (seq < (last.get(hook) ?? 0)) count++;
    last.set(hook, Math.max(seq, last.get(hook) ?? 0));
  }
  return count;
}

/** The first call of each key, in the order of their arrival. */
function onceEach<Call>(calls: readonly Call[], keyOf: (call: Call) => string): Call[] {
  return [...new Map(calls.toReversed().map((call) => [keyOf(call), call])).values()].toReversed();
}
