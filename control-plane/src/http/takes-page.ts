import type { ApiRequest } from './route.js';

/** Whether the caller names pages among what it takes: a browser does, a program hardly ever. */
export function takesPage(headers: ApiRequest<unknown, unknown, unknown>['headers']): boolean {
  return /\btext\/html\b/i.test(String(headers['accept'] ?? ''));
}
