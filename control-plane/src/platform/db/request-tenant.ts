import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that the work in this context is part of. */
const request = new AsyncLocalStorage<{ tenant: string } | undefined>();

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
