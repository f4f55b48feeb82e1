import { CommandError } from '../command/command-error.js';

const CHECK_ADDRESS = 'Check the address (`--url` or WATCHPOST_URL), and whether the service runs.';

/** Codes of errors that happen before a request is sent. */
const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept the connection in time',
  ECONNRESET: 'the connection broke before the answer came',
  EPIPE: 'the connection broke before the answer came',
  UND_ERR_SOCKET: 'the connection broke before the answer came',
};

/** A request without an answer. */
export class ConnectionError extends CommandError {
  constructor(
    message: string,
    /** Whether the service may have received the request, so that it may have done what was asked. */
    readonly mayHaveArrived: boolean,
    /** Whether another attempt may succeed. */
    readonly isPassing: boolean,
    nextStep: string,
    cause: unknown,
  ) {
    super(message, { code: 'no_answer', nextStep, cause });
  }
}

/** Explains why `fetch` failed. */
export function connectionError(error: unknown, url: URL, deadlineMs: number): ConnectionError {
  const where = url.origin;
  if (error instanceof Error && error.name === 'TimeoutError') {
    const message = `${where} did not answer within ${deadlineMs / 1_000} s.`;
    return new ConnectionError(message, true, false, 'Try again; if it persists, look at the service.', error);
  }
  const code = codeOf(error);
  if (/CERT|TLS|SSL|SIGNED|ISSUER/.test(code)) {
    const message = `The certificate of ${where} is not accepted (${code}).`;
    const nextStep = 'Name the file of your own authority in NODE_EXTRA_CA_CERTS, or correct the address.';
    return new ConnectionError(message, false, false, nextStep, error);
  }
  const reason = SENTENCES[code] ?? `the request failed (${code || messageOf(error)})`;
  const isBefore = BEFORE_SENDING.has(code);
  return new ConnectionError(
    `${where} cannot be reached: ${reason}.`,
    !isBefore,
    code !== 'ENOTFOUND' && code !== '',
    CHECK_ADDRESS,
    error,
  );
}

/** The code of the error, of its cause, or of the last of several attempts to connect. */
function codeOf(error: unknown): string {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === 'string' && code !== '') return code;
  const inner = errors?.at(-1) ?? cause;
  return inner === undefined ? '' : codeOf(inner);
}

function messageOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : String(error);
}
