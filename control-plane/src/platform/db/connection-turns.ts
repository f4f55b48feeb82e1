import { FairShare, type Tenancy } from '@watchpost/shared/fair-share';
import { Fault } from '@watchpost/shared/fault';
import { Fifo } from '@watchpost/shared/queues/fifo';
import { TurnQueue } from '@watchpost/shared/queues/turn-queue';

/** The part of the connections that only background work uses, and the part that only requests use. */
const RESERVED_PART = 1 / 4;
/** Longest wait for a connection, ms. */
const WAIT_MS = 5_000;
const MOST_WAITING = 2_000;
const MOST_WAITING_OF_TENANT = 200;
const RETRY_SECONDS = 1;

/** What uses connections: the requests of tenants, and all other work. */
export type ConnectionUser = 'requests' | 'background';

/** Gives a connection back; to be called once. */
export type GiveBack = () => void;

interface Waiter {
  tenant: string | undefined;
  start(giveBack: GiveBack): void;
  isOver: boolean;
}

/**
 * The turns at the connections of the pool. A quarter of them is reserved for background work, and a quarter for requests;
 * of the rest, background work is served first. Requests share theirs by tenant: see `FairShare`.
 */
export class ConnectionTurns {
  readonly #reserved: number;
  readonly #requests: FairShare;
  #background = 0;
  readonly #waitingRequests = new TurnQueue<Waiter>();
  readonly #waitingBackground = new Fifo<Waiter>();

  /** @param onWaited is called at the end of each wait, also of one that was in vain; s */
  constructor(
    private readonly connections: number,
    private readonly onWaited: (user: ConnectionUser, seconds: number) => void = () => {},
    private readonly waitMs = WAIT_MS,
  ) {
    this.#reserved = Math.floor(connections * RESERVED_PART);
    this.#requests = new FairShare(connections - this.#reserved);
  }

  used(user: ConnectionUser): number {
    return user === 'requests' ? this.#requests.held : this.#background;
  }

  waiting(user: ConnectionUser): number {
    return user === 'requests' ? this.#waitingRequests.size : this.#waitingBackground.size;
  }

  /**
   * Waits for a connection.
   * @param tenant whose request needs it; undefined: background work
   * @throws Fault `unavailable` where too many requests wait already
   * @throws Error where no connection becomes free in time
   */
  async take(tenant: string | undefined): Promise<GiveBack> {
    return this.#tryTake(tenant) ?? (await this.#wait(tenant));
  }

  #tryTake(tenant: string | undefined): GiveBack | undefined {
    if (tenant !== undefined) {
      if (this.#refusal({ ownerKey: tenant }) !== null) return undefined;
      const slot = this.#requests.take({ ownerKey: tenant });
      return () => {
        this.#requests.giveBack(slot);
        this.#startWaiting();
      };
    }
    if (!this.#isFreeForBackground()) return undefined;
    this.#background++;
    return () => {
      this.#background--;
      this.#startWaiting();
    };
  }

  #isFreeForBackground(): boolean {
    const isAnyFree = this.#background + this.#requests.held < this.connections;
    return isAnyFree && this.#background < this.connections - this.#reserved;
  }

  readonly #refusal = (tenancy: Tenancy) =>
    this.#requests.refusal(tenancy, Math.max(0, this.#background - this.#reserved));

  #wait(tenant: string | undefined): Promise<GiveBack> {
    if (tenant !== undefined) this.#refuseWhereFull(tenant);
    const user = tenant === undefined ? 'background' : 'requests';
    const sinceMs = performance.now();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.onWaited(user, (performance.now() - sinceMs) / 1_000);
      };
      const waiter: Waiter = {
        tenant,
        isOver: false,
        start(giveBack) {
          end();
          resolve(giveBack);
        },
      };
      const timer = setTimeout(() => {
        waiter.isOver = true;
        this.#dropOver();
        end();
        reject(new Error(`No database connection became free within ${this.waitMs / 1_000} s`));
      }, this.waitMs);
      if (tenant === undefined) this.#waitingBackground.push(waiter);
      else this.#waitingRequests.add({ ownerKey: tenant }, waiter);
    });
  }

  #refuseWhereFull(ownerKey: string): void {
    const queue = this.#waitingRequests;
    if (queue.size < MOST_WAITING && queue.sizeOf({ ownerKey }) < MOST_WAITING_OF_TENANT) return;
    const message = 'Too many requests wait for the database right now; send fewer at once, and try again.';
    throw new Fault('unavailable', message, [], RETRY_SECONDS);
  }

  /** Hands out what is free. */
  #startWaiting(): void {
    for (let waiter = this.#next(); waiter; waiter = this.#next())
      if (!waiter.isOver) waiter.start(this.#tryTake(waiter.tenant)!);
  }

  #next(): Waiter | undefined {
    const background = this.#isFreeForBackground() ? this.#waitingBackground.shift() : undefined;
    return background ?? this.#waitingRequests.take(performance.now(), this.#refusal);
  }

  /** Who came first waits no longer than who came later, so that what is over is at the head of its queue. */
  #dropOver(): void {
    this.#waitingRequests.drop(({ isOver }) => isOver);
    while (this.#waitingBackground.peek()?.isOver) this.#waitingBackground.shift();
  }
}
