import { newId } from '@watchpost/shared/id';
import { repeat } from '../../jobs/repeat.js';
import { WorkPump } from '../../jobs/work-pump.js';
import { type ClaimedMail, mailOutboxStore } from '../mail-outbox-store.js';
import type { HeldLane } from './delivery.js';
import type { DeliveryDeps } from './delivery-deps.js';
import { deliverLane, LEASE_MS } from './deliver-lane.js';
import { deliverMail } from './deliver-mail.js';
import { deliveryStore } from './delivery-store.js';
import { fanOutEvents } from './fan-out-events.js';
import { laneStore } from './lane-store.js';

/** Destinations that one process sends to at once; most of them wait for an answer. */
const MOST_LANES = 64;
/** Of one workspace: its receivers that hang hold up nobody else's. */
const MOST_LANES_A_WORKSPACE = 16;
const MOST_MAILS = 8;
/** SMTP has time-outs for each step, so a mail may take longer than a try over HTTP. */
const MAIL_LEASE_MS = 120_000;
const POLL_MS = 1_000;
const MEASURE_MS = 15_000;

/** Sends what waits: alerts and mail. Any number of these may run on one database. */
export class DeliveryWorker {
  readonly #lanes: WorkPump<HeldLane>;
  readonly #mails: WorkPump<ClaimedMail>;
  #measuring: { stop(): Promise<void> } | undefined;

  constructor(private readonly deps: DeliveryDeps) {
    const { logger } = deps;
    this.#lanes = new WorkPump({
      name: 'delivery',
      concurrency: MOST_LANES,
      pollMs: POLL_MS,
      logger,
      claim: (free, running) => this.#claimLanes(free, running),
      work: (lane) => deliverLane(deps, lane),
    });
    this.#mails = new WorkPump({
      name: 'mail delivery',
      concurrency: MOST_MAILS,
      pollMs: POLL_MS,
      logger,
      claim: (free) => this.#claimMails(free),
      work: (mail) => deliverMail(deps, mail),
    });
  }

  /** Sends all that is due now. @returns how many destinations had something, and mails */
  async runDue(): Promise<{ destinations: number; mails: number }> {
    const [destinations, mails] = await Promise.all([this.#lanes.runDue(), this.#mails.runDue()]);
    return { destinations, mails };
  }

  start(): void {
    this.#lanes.start();
    this.#mails.start();
    const { logger } = this.deps;
    this.#measuring = repeat({ name: 'counting deliveries', everyMs: MEASURE_MS, logger, run: () => this.measure() });
  }

  /** There may be something to send. */
  wake(): void {
    this.#lanes.wake();
    this.#mails.wake();
  }

  /** Waits for what is on its way. */
  async stop(): Promise<void> {
    await Promise.all([this.#measuring?.stop(), this.#lanes.stop(), this.#mails.stop()]);
  }

  /** Brings the metrics of what waits up to date. */
  async measure(): Promise<void> {
    const { db, clock, metrics } = this.deps;
    await db.read(async (tx) => {
      metrics.backlog('alerts', await deliveryStore.backlog(tx), clock.now());
      metrics.backlog('mail', await mailOutboxStore.backlog(tx), clock.now());
    });
  }

  async #claimLanes(free: number, running: Iterable<HeldLane>): Promise<HeldLane[]> {
    const { db, clock } = this.deps;
    while (await fanOutEvents(this.deps));
    const counts = new Map<string, number>();
    for (const { workspaceId } of running) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
    const busiest = Math.max(0, ...counts.values());
    const nowMs = clock.now();
    return db.transaction((tx) =>
      laneStore.claim(tx, {
        now: new Date(nowMs),
        leaseEnd: new Date(nowMs + LEASE_MS),
        lease: newId(nowMs),
        limit: free,
        most: Math.max(1, MOST_LANES_A_WORKSPACE - busiest),
        full: [...counts].filter(([, count]) => count >= MOST_LANES_A_WORKSPACE).map(([workspaceId]) => workspaceId),
      }),
    );
  }

  async #claimMails(free: number): Promise<ClaimedMail[]> {
    const nowMs = this.deps.clock.now();
    return this.deps.db.transaction((tx) =>
      mailOutboxStore.claim(tx, new Date(nowMs), new Date(nowMs + MAIL_LEASE_MS), free),
    );
  }
}
