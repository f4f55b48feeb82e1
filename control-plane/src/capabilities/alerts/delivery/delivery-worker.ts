import { newId } from '@watchpost/shared/id';
import { startPeriodicTask, type RunningTask } from '../../../platform/jobs/periodic-task.js';
import { WorkPump } from '../../../platform/jobs/work-pump.js';
import { mailOutboxStore } from './mail-outbox-store.js';
import type { DeliveryDeps } from './delivery-deps.js';
import { deliveryStore } from './delivery-store.js';
import { fanOutEvents } from './fan-out-events.js';
import { type LeasedLane, type Outlet, OUTLETS } from './delivery-lane.js';
import { deliveryLaneStore } from './delivery-lane-store.js';
import { processLane } from './process-lane.js';

interface Slots {
  /** Lanes that one process sends from at once; most of the time they wait for an answer. */
  most: number;
  /** Of these, those that only pages take. */
  keptForPages: number;
  /** Longer than a slice, a try and what is written after it: a worker that is silent for this long is dead. */
  leaseMs: number;
}

const SLOTS: Readonly<Record<Outlet, Slots>> = {
  webhook: { most: 64, keptForPages: 0, leaseMs: 30_000 },
  sms: { most: 16, keptForPages: 4, leaseMs: 30_000 },
  // One connection to the mail server each.
  alertMail: { most: 16, keptForPages: 4, leaseMs: 45_000 },
  mail: { most: 16, keptForPages: 0, leaseMs: 45_000 },
};
const POLL_MS = 1_000;
const MEASURE_MS = 15_000;
const NO_OWNER = '00000000-0000-0000-0000-000000000000';

/** Sends what waits: alerts and mail. Any number of these may run on one database. */
export class DeliveryWorker {
  readonly #pumps: ReadonlyMap<Outlet, WorkPump<LeasedLane>>;
  /** Of each outlet the owner whose lane was claimed last: the next claim begins behind it. */
  readonly #lastOwner = new Map<Outlet, string>();
  #measuring: RunningTask | undefined;

  constructor(private readonly deps: DeliveryDeps) {
    const pumpOf = (outlet: Outlet): WorkPump<LeasedLane> =>
      new WorkPump({
        name: `deliver_${outlet}`,
        concurrency: SLOTS[outlet].most,
        pollMs: POLL_MS,
        logger: deps.logger,
        claim: (free, running) => this.#claim(outlet, free, [...running]),
        work: (lane) => processLane(deps, lane),
      });
    this.#pumps = new Map(OUTLETS.map((outlet) => [outlet, pumpOf(outlet)]));
  }

  /** Sends all that is due now. @returns from how many lanes, counting each slice */
  async runDue(): Promise<number> {
    const counts = await Promise.all([...this.#pumps.values()].map((pump) => pump.runDue()));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  start(): void {
    for (const pump of this.#pumps.values()) pump.start();
    const { logger } = this.deps;
    const measuring = { name: 'measure_deliveries', everyMs: MEASURE_MS, run: () => this.measure() };
    this.#measuring = startPeriodicTask(measuring, { logger });
  }

  /** There may be something to send. */
  wake(): void {
    for (const pump of this.#pumps.values()) pump.wake();
  }

  /** Waits for what is on its way. */
  async stop(): Promise<void> {
    await Promise.all([this.#measuring?.stop(), ...[...this.#pumps.values()].map((pump) => pump.stop())]);
  }

  /** Brings the metrics of what waits up to date. */
  async measure(): Promise<void> {
    const { db, clock, metrics } = this.deps;
    for (const [outlet, pump] of this.#pumps) metrics.slots(outlet, pump.running);
    await db.read(async (tx) => {
      metrics.backlog('alerts', await deliveryStore.backlog(tx), clock.now());
      metrics.backlog('mail', await mailOutboxStore.backlog(tx), clock.now());
    });
  }

  async #claim(outlet: Outlet, free: number, held: readonly LeasedLane[]): Promise<LeasedLane[]> {
    const { db, clock } = this.deps;
    while (await fanOutEvents(this.deps));
    const { keptForPages, leaseMs } = SLOTS[outlet];
    const nowMs = clock.now();
    const room = this.#room(outlet, free, held.length, nowMs);
    if (room === 0) return [];
    const claim = { outlet, leaseEnd: new Date(nowMs + leaseMs), lease: newId(nowMs), after: this.#after(outlet) };
    const lanes = await db.transaction(async (tx) => {
      await deliveryLaneStore.makeReady(tx, outlet, new Date(nowMs));
      const pages =
        keptForPages === 0
          ? []
          : await deliveryLaneStore.claim(tx, { ...claim, urgent: true, free: room, running: countByOwner(held) });
      // What is kept for pages counts where there is plenty: a server that is tried with one message takes any.
      const left = room === free ? room - keptForPages - pages.length : room - pages.length;
      if (left <= 0) return pages;
      const running = countByOwner([...held, ...pages]);
      return [...pages, ...(await deliveryLaneStore.claim(tx, { ...claim, urgent: false, free: left, running }))];
    });
    const last = lanes.at(-1);
    if (last) this.#lastOwner.set(outlet, last.ownerId);
    return lanes;
  }

  #after(outlet: Outlet): string {
    return this.#lastOwner.get(outlet) ?? NO_OWNER;
  }

  #room(outlet: Outlet, free: number, running: number, nowMs: number): number {
    const { backoff } = this.deps.channels.mailer;
    const isMail = outlet === 'mail' || outlet === 'alertMail';
    return isMail && backoff ? backoff.room(free, running, nowMs) : free;
  }
}

function countByOwner(lanes: readonly LeasedLane[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { ownerId } of lanes) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return counts;
}
