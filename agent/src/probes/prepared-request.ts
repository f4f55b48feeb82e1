import type { HttpTarget } from '@watchpost/shared/checks/http';
import type { ProbeContext } from './probe.js';
import type { ProbeFault } from './probe-fault.js';
import { firstRequest, type HttpRequest } from './request-head.js';

/** The first request to a target, which is encoded once for all of its checks. */
export function preparedRequest(target: HttpTarget, context: ProbeContext): HttpRequest | ProbeFault {
  let request = context.requests.get(target);
  if (request === undefined) {
    request = firstRequest(target, context.userAgent);
    context.requests.set(target, request);
  }
  return request;
}
