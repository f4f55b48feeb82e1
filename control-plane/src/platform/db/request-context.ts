import { AsyncLocalStorage } from 'node:async_hooks';

/** Nobody waits for the answer any more: the caller has hung up, or the deadline of the request has passed. */
export class RequestOver extends Error {
  override readonly name = 'RequestOver';

  constructor() {
    super('nobody waits for the answer any more');
  }
}

/**
 * The part of a request that ends early when nobody waits for it any more. What it has committed it also finishes, so that
 * a change is made as a whole or not at all.
 */
export class AbortableWork {
  #isAborted = false;
  #hasCommitted = false;
  readonly #listeners = new Set<() => void>();

  get isOver(): boolean {
    return this.#isAborted && !this.#hasCommitted;
  }

  abort(): void {
    this.#isAborted = true;
    if (!this.#hasCommitted) for (const listener of this.#listeners) listener();
  }

  noteCommit(): void {
    this.#hasCommitted = true;
  }

  /** Another change begins, which is independent of what the request has committed so far. */
  beginChange(): void {
    this.#hasCommitted = false;
  }

  /** Calls `listener` when the work is over. @returns removes the listener */
  onOver(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The request that the work in this context is part of. */
const request = new AsyncLocalStorage<{ tenant: string; work?: AbortableWork } | undefined>();

/** Runs `work` as part of a request. @param tenant by what is known of the caller; `setRequestTenant` corrects it */
export function asRequest<T>(tenant: string, work: () => T): T {
  return request.run({ tenant }, work);
}

/** Notes whose request it is as soon as more is known: the caller, then the owner of the account. Without effect outside of a request. */
export function setRequestTenant(tenant: string): void {
  const current = request.getStore();
  if (current) current.tenant = tenant;
}

/** Runs `work` as part of no request: what a request only starts, and what serves other tenants as well. */
export function asBackground<T>(work: () => T): T {
  return request.run(undefined, work);
}

/** Whose request the work in this context is part of; undefined: of none. */
export function requestTenant(): string | undefined {
  return request.getStore()?.tenant;
}

/** Makes what follows in this request abortable. */
export function setAbortableWork(work: AbortableWork): void {
  const current = request.getStore();
  if (current) current.work = work;
}

/** What ends early in this context; undefined: nothing does. */
export function abortableWork(): AbortableWork | undefined {
  return request.getStore()?.work;
}

/** Runs `work` to its end, also where nobody waits for the request: what others wait for as well, and what settles it. */
export function toTheEnd<T>(work: () => T): T {
  const current = request.getStore();
  return current ? request.run({ tenant: current.tenant }, work) : work();
}

/** Ends a long loop where nobody waits for the request. @throws RequestOver */
export function throwIfOver(): void {
  if (abortableWork()?.isOver) throw new RequestOver();
}
