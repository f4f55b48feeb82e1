import { FairShare, type HeldSlot, type Tenancy } from '../fair-share.js';
import { TurnQueue } from './turn-queue.js';

/** The place of some work: in the queue, and then among what runs. */
export interface FairTurn {
  /** Resolves when the work may begin, or has left before. */
  readonly begins: Promise<void>;
  /** Ends the work, or gives its place in the queue up; once, however often it is called. */
  leave(): void;
}

/** Lets a limited number of tasks run at the same time. Owners share it and its queue fairly, and take turns. */
export class FairTurns {
  readonly #running: FairShare;
  readonly #places: FairShare;
  readonly #queue = new TurnQueue<{ tenancy: Tenancy; begin(slot: HeldSlot): void; isOver(): boolean }>();

  /** @param places the limit of those that run and those that wait */
  constructor(atOnce: number, places: number) {
    this.#running = new FairShare(atOnce);
    this.#places = new FairShare(places);
  }

  get running(): number {
    return this.#running.held;
  }

  get waiting(): number {
    return this.#places.held - this.#running.held;
  }

  /** @returns null where the queue has no place for this owner */
  enter(tenancy: Tenancy): FairTurn | null {
    if (this.#places.refusal(tenancy) !== null) return null;
    const place = this.#places.take(tenancy);
    let slot: HeldSlot | null = null;
    let isOver = false;
    let begun!: () => void;
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const begin = (taken: HeldSlot): void => {
      slot = taken;
      begun();
    };
    this.#queue.add(tenancy, { tenancy, begin, isOver: () => isOver });
    this.#startNext();
    const leave = (): void => {
      if (isOver) return;
      isOver = true;
      begun();
      this.#places.giveBack(place);
      if (slot === null) return this.#queue.drop((item) => item.isOver());
      this.#running.giveBack(slot);
      this.#startNext();
    };
    return { begins, leave };
  }

  #startNext(): void {
    for (;;) {
      const next = this.#queue.take(performance.now(), (tenancy) => this.#running.refusal(tenancy));
      if (next === undefined) return;
      if (!next.isOver()) next.begin(this.#running.take(next.tenancy));
    }
  }
}
