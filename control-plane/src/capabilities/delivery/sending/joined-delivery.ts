import { JoinedWork } from '../../../platform/jobs/joined-work.js';
import { admitMessages, type AdmittedMessage, type OutgoingMessage } from '../admission/admit-message.js';
import { addTimelineEntries, type TimelineEntry } from '../../timeline/index.js';
import type { DeliveryDeps } from '../delivery-deps.js';
import { type ChannelMessage, channelMessageStore } from '../queue/channel-message-store.js';
import type { LeasedLane } from '../queue/delivery-lane.js';
import { deliveryLaneStore } from '../queue/delivery-lane-store.js';
import { deliveryStore, type DueDelivery, type TriedDelivery } from '../queue/delivery-store.js';
import { joinDeliveries, type JointMessage, newJointMessage } from './join-deliveries.js';
import type { PagePace } from './page-pace.js';

/** What sending the messages of lanes needs: the statements of the lanes of a process are joined. */
export interface LaneDeps extends DeliveryDeps {
  joined: JoinedDelivery;
  pace: PagePace;
}

export interface AttemptRecord {
  lane: LeasedLane;
  tried: readonly Omit<TriedDelivery, 'workspaceId'>[];
  notes: readonly TimelineEntry[];
  /** Messages that became those of their incidents. */
  messages: readonly ChannelMessage[];
  /** When the lane is ready again, where it has to wait for the next attempt. */
  nextAttempt: Date | null;
}

/** The most items of one transaction: as many as there are delivery slots. */
const MOST = 128;

/**
 * The statements of all lanes of a process, joined: hundreds of lanes that each read, write and release by themselves cost
 * more than their messages. A lane still waits for the commit of each outcome before its next attempt.
 */
export class JoinedDelivery {
  readonly #due: JoinedWork<{ lane: LeasedLane; limit: number }, DueDelivery[]>;
  readonly #admissions: JoinedWork<OutgoingMessage, AdmittedMessage>;
  readonly #joints: JoinedWork<JointMessage, DueDelivery[]>;
  readonly #records: JoinedWork<AttemptRecord, void>;
  readonly #ends: JoinedWork<LeasedLane, void>;
  readonly #baseUrl: string;

  constructor(deps: DeliveryDeps) {
    this.#baseUrl = deps.channels.baseUrl;
    const { db, clock } = deps;
    this.#due = new JoinedWork((asked) => db.read((tx) => deliveryStore.dueOfLanes(tx, asked)), MOST);
    this.#admissions = new JoinedWork(
      (messages) => db.transaction((tx) => admitMessages(deps, tx, messages), { byIndex: true }),
      MOST,
    );
    this.#joints = new JoinedWork((joints) => db.transaction((tx) => joinDeliveries(deps, tx, joints)), MOST);
    this.#records = new JoinedWork(async (records) => {
      await db.transaction(
        async (tx) => {
          // Lock order: incidents, deliveries, lanes; the same as in adding and cancelling deliveries.
          const notes = records.flatMap((record) => record.notes);
          await addTimelineEntries(
            tx,
            notes.toSorted((a, b) => compare(a.incidentId, b.incidentId)),
          );
          await deliveryStore.record(
            tx,
            records.flatMap(({ lane: { workspaceId }, tried }) => tried.map((one) => ({ ...one, workspaceId }))),
          );
          await channelMessageStore.keep(
            tx,
            records.flatMap(({ messages }) => messages),
          );
          const waiting = records.flatMap(({ lane, nextAttempt }) =>
            nextAttempt ? [{ ...lane, dueAt: nextAttempt }] : [],
          );
          await deliveryLaneStore.release(tx, waiting);
        },
        { byIndex: true },
      );
      return records.map(() => undefined);
    }, MOST);
    this.#ends = new JoinedWork(async (lanes) => {
      await db.transaction((tx) => deliveryLaneStore.end(tx, lanes, new Date(clock.now())), {
        byIndex: true,
      });
      return lanes.map(() => undefined);
    }, MOST);
  }

  /** The first waiting deliveries of a lane, in order. */
  due(lane: LeasedLane, limit: number): Promise<DueDelivery[]> {
    return this.#due.do({ lane, limit });
  }

  /** Counts a message against the budget of its owner, or refuses it. */
  admit(message: OutgoingMessage): Promise<AdmittedMessage> {
    return this.#admissions.do(message);
  }

  /**
   * Fixes what one message contains before its first attempt. What is fixed already stays so.
   * @returns the deliveries that it contains; those that another transaction changes at this moment are left out
   */
  async join(lane: LeasedLane, batch: readonly DueDelivery[]): Promise<DueDelivery[]> {
    if (batch.length === 0 || batch[0]!.messageId !== null) return [...batch];
    return this.#joints.do(newJointMessage(this.#baseUrl, lane, batch));
  }

  /** Resolves when the outcome is committed. */
  record(record: AttemptRecord): Promise<void> {
    return this.#records.do(record);
  }

  /** Ends the lease of a lane. Where something waits, it queues behind the other lanes of its owner. */
  end(lane: LeasedLane): Promise<void> {
    return this.#ends.do(lane);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
