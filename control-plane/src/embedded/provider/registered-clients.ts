import { Fault } from '@watchpost/shared/fault';
import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import type Provider from 'oidc-provider';
import type { Database } from '../../platform/db/database.js';
import { CallWindows, secondsLeft } from '../../platform/http/call-windows.js';
import { addressBlock } from '../../platform/http/remote-address.js';
import { providerEntityStore } from './provider-store.js';

/** As long as what a user allowed it: the client of a grant outlives the grant. */
const USED_CLIENT_MS = 90 * DAY_MS;
const MOST_A_MINUTE = 60;
const COUNTED_ADDRESSES = 1_000;

export interface RegisteredClientsDeps {
  provider: Provider;
  db: Database;
  clock: Clock;
  logger: Logger;
}

/** Clients that anybody may register: so many a minute from one address, and gone where nothing comes of them. */
export class RegisteredClients {
  readonly #registrations = new CallWindows(MINUTE_MS, COUNTED_ADDRESSES);

  constructor(private readonly deps: RegisteredClientsDeps) {
    deps.provider.on('grant.success', (ctx) => {
      const id = ctx.oidc.client?.clientId;
      if (id !== undefined) void this.#keep(id);
    });
  }

  /** @throws Fault rate_limited */
  requireWithinRate(remoteAddress: string): void {
    const seconds = this.secondsToWait(remoteAddress);
    if (seconds > 0)
      throw new Fault('rate_limited', 'Too many clients were registered from this address.', [], seconds);
  }

  /** Counts a client that is registered from an address, or whose document is fetched. @returns 0 within the rate */
  secondsToWait(remoteAddress: string): number {
    const nowMs = this.deps.clock.now();
    const window = this.#registrations.open(addressBlock(remoteAddress), nowMs);
    return ++window.count > MOST_A_MINUTE ? secondsLeft(window, nowMs) : 0;
  }

  /** Those that were registered before clients had an end. */
  async adopt(): Promise<void> {
    await this.deps.db.transaction((tx) => providerEntityStore.endClientsWithoutEnd(tx, this.#end()));
  }

  async #keep(id: string): Promise<void> {
    try {
      await this.deps.db.transaction((tx) => providerEntityStore.keepClient(tx, id, this.#end()));
    } catch (error) {
      this.deps.logger.warn({ err: error }, 'the use of a registered client could not be noted');
    }
  }

  #end(): Date {
    return new Date(this.deps.clock.now() + USED_CLIENT_MS);
  }
}
