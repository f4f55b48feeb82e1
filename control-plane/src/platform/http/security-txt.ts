import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import { route, type Route } from './route.js';
import { FOR_ANYBODY } from './schemas.js';

const PATH = '/.well-known/security.txt';
/** RFC 9116 §2.5.5: less than a year; it is made anew with each request. */
const VALID_MS = 30 * DAY_MS;

/** Where the operator wants to hear of vulnerabilities (RFC 9116). */
export function securityTxtRoute({
  clock,
  config: { baseUrl, securityContacts },
}: {
  clock: Clock;
  config: { baseUrl: string; securityContacts: readonly string[] };
}): Route {
  return route({
    ...FOR_ANYBODY,
    path: PATH,
    operationId: 'getSecurityTxt',
    summary: 'How to report a vulnerability (RFC 9116)',
    description: 'Not found where the operator has set no `SECURITY_CONTACT`.',
    produces: ['text/plain'],
    answers: { 200: { description: 'The contacts' } },
    faults: ['not_found'],
    handle() {
      if (securityContacts.length === 0) {
        throw new Fault('not_found', 'The operator of this service has named no contact for vulnerabilities.');
      }
      const lines = [
        ...securityContacts.map((contact) => `Contact: ${contact}`),
        `Expires: ${new Date(clock.now() + VALID_MS).toISOString()}`,
        `Canonical: ${baseUrl}${PATH}`,
      ];
      return Promise.resolve({ body: `${lines.join('\n')}\n`, type: 'text/plain; charset=utf-8' });
    },
  });
}
