import { newId } from '@watchpost/shared/id';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { DueTask } from '../../../platform/jobs/due-work.js';
import { startPeriodicTask, type RunningTask } from '../../../platform/jobs/periodic-task.js';
import { WorkPump } from '../../../platform/jobs/work-pump.js';
import { mailOutboxStore } from '../queue/mail-outbox-store.js';
import type { DeliveryDeps } from '../delivery-deps.js';
import { deliveryStore } from '../queue/delivery-store.js';
import { endWaits } from '../rules/end-waits.js';
import { IS_WAIT_DUE, waitStore } from '../rules/wait-store.js';
import { fanOutEvents } from '../queue/fan-out-events.js';
import { IS_FAN_OUT_DUE } from '../queue/fan-out-store.js';
import { type Outlet, OUTLETS } from '../../channels/index.js';
import type { LeasedLane } from '../queue/delivery-lane.js';
import { deliveryLaneStore, isDeliveryDue } from '../queue/delivery-lane-store.js';
import { JoinedDelivery } from './joined-delivery.js';
import { PagePace } from './page-pace.js';
import { processLane } from './process-lane.js';

interface Slots {
  /** The number of lanes that one process works on at once; most of the time they wait for an answer. */
  most: number;
  /** How many of these are reserved for pages. */
  keptForPages: number;
  /** Longer than a slice, an attempt and storing its result together: after it the worker counts as dead. */
  leaseMs: number;
}

const SLOTS: Readonly<Record<Outlet, Slots>> = {
  webhook: { most: 72, keptForPages: 8, leaseMs: 30_000 },
  sms: { most: 16, keptForPages: 4, leaseMs: 30_000 },
  // Each slot uses one connection to the mail server.
  alertMail: { most: 16, keptForPages: 4, leaseMs: 45_000 },
  mail: { most: 16, keptForPages: 0, leaseMs: 45_000 },
};
/** How often due lanes are looked for: a lane whose retry or lease is over waits at most this long. */
const LOOK_MS = 1_000;
const FAN_OUT = { name: 'fan_out', everyMs: LOOK_MS };
/** How often lanes are claimed, and events fanned out, although nothing was found to be due. */
const POLL_MS = 5 * MINUTE_MS;
const MEASURE_MS = 15_000;
const NO_OWNER = '00000000-0000-0000-0000-000000000000';

/** Sends waiting alerts and mail. Any number of workers may run on one database. */
export class DeliveryWorker {
  readonly #pumps: ReadonlyMap<Outlet, WorkPump<LeasedLane>>;
  /** The owner of the last claimed lane, by outlet: the next claim begins after this owner. */
  readonly #lastOwner = new Map<Outlet, string>();
  #measuring: RunningTask | undefined;
  #fanningOut: RunningTask | undefined;

  constructor(private readonly deps: DeliveryDeps) {
    const laneDeps = { ...deps, joined: new JoinedDelivery(deps), pace: new PagePace() };
    const pumpOf = (outlet: Outlet): WorkPump<LeasedLane> =>
      new WorkPump({
        name: `deliver_${outlet}`,
        concurrency: SLOTS[outlet].most,
        pollMs: POLL_MS,
        logger: deps.logger,
        claim: (free, running) => this.#claim(outlet, free, [...running]),
        work: (lane) => processLane(laneDeps, lane),
      });
    this.#pumps = new Map(OUTLETS.map((outlet) => [outlet, pumpOf(outlet)]));
  }

  /** How to find out that something is due: see `startDueWork`. */
  get dueTasks(): DueTask[] {
    const fanOut = { ...FAN_OUT, isDue: `${IS_FAN_OUT_DUE} OR ${IS_WAIT_DUE}`, wake: () => this.#fanningOut?.wake() };
    const outlets = [...this.#pumps].map(([outlet, pump]) => ({
      name: `deliver_${outlet}`,
      everyMs: LOOK_MS,
      isDue: isDeliveryDue(outlet),
      wake: () => pump.wake(),
    }));
    return [fanOut, ...outlets];
  }

  /** Sends all that is due now. @returns the number of slices in which lanes were processed */
  async runDue(): Promise<number> {
    let total = 0;
    for (;;) {
      await this.#fanOut();
      const counts = await Promise.all([...this.#pumps.values()].map((pump) => pump.runDue()));
      const slices = counts.reduce((sum, count) => sum + count, 0);
      total += slices;
      if (slices === 0) return total;
    }
  }

  /** Sends what is due whenever it is woken, and now and then by itself. */
  start(): void {
    const { logger } = this.deps;
    for (const pump of this.#pumps.values()) pump.start();
    const fanOut = { name: FAN_OUT.name, everyMs: POLL_MS, run: () => this.#fanOut() };
    this.#fanningOut = startPeriodicTask(fanOut, { logger });
    const measuring = { name: 'measure_deliveries', everyMs: MEASURE_MS, run: () => this.measure() };
    this.#measuring = startPeriodicTask(measuring, { logger });
  }

  /** Stops after the attempts in progress. */
  async stop(): Promise<void> {
    await Promise.all([
      this.#measuring?.stop(),
      this.#fanningOut?.stop(),
      ...[...this.#pumps.values()].map((pump) => pump.stop()),
    ]);
  }

  async measure(): Promise<void> {
    const { db, clock, metrics } = this.deps;
    for (const [outlet, pump] of this.#pumps) metrics.slots(outlet, pump.running);
    await db.read(async (tx) => {
      metrics.backlog('alerts', await deliveryStore.backlog(tx), clock.now());
      metrics.waits(await waitStore.backlog(tx), clock.now());
      metrics.backlog('mail', await mailOutboxStore.backlog(tx), clock.now());
    });
  }

  /** Makes events of the waits that are over, and fans out events. The lanes of a batch are claimed while the next one is fanned out. */
  async #fanOut(): Promise<void> {
    for (;;) {
      const ended = await endWaits(this.deps);
      const outlets = await fanOutEvents(this.deps);
      for (const outlet of outlets ?? []) this.#pumps.get(outlet)!.wake();
      if (ended === 0 && outlets === undefined) return;
    }
  }

  async #claim(outlet: Outlet, free: number, leased: readonly LeasedLane[]): Promise<LeasedLane[]> {
    const { db, clock } = this.deps;
    const { keptForPages, leaseMs } = SLOTS[outlet];
    const nowMs = clock.now();
    const available = this.#available(outlet, free, leased.length, nowMs);
    if (available === 0) return [];
    const claim = { outlet, leaseEnd: new Date(nowMs + leaseMs), lease: newId(nowMs), after: this.#after(outlet) };
    const lanes = await db.transaction(
      async (tx) => {
        await deliveryLaneStore.makeReady(tx, outlet, new Date(nowMs));
        const pages =
          keptForPages === 0
            ? []
            : await deliveryLaneStore.claim(tx, {
                ...claim,
                urgent: true,
                free: available,
                running: countByOwner(leased),
              });
        // Slots stay reserved for pages only while the mail server works: the one trial message after a failure may be any.
        const left = available === free ? available - keptForPages - pages.length : available - pages.length;
        if (left <= 0) return pages;
        const running = countByOwner([...leased, ...pages]);
        return [...pages, ...(await deliveryLaneStore.claim(tx, { ...claim, urgent: false, free: left, running }))];
      },
      { byIndex: true },
    );
    const last = lanes.at(-1);
    if (last) this.#lastOwner.set(outlet, last.ownerId);
    return lanes;
  }

  #after(outlet: Outlet): string {
    return this.#lastOwner.get(outlet) ?? NO_OWNER;
  }

  #available(outlet: Outlet, free: number, running: number, nowMs: number): number {
    const { backoff } = this.deps.channels.mailer;
    const isMail = outlet === 'mail' || outlet === 'alertMail';
    return isMail && backoff ? backoff.available(free, running, nowMs) : free;
  }
}

function countByOwner(lanes: readonly LeasedLane[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { ownerId } of lanes) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return counts;
}
