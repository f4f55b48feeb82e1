import { CommandError, type ErrorDetail } from '../command/command-error.js';
import type { HttpAnswer } from './send-request.js';

export class ApiError extends CommandError {
  constructor(
    message: string,
    readonly status: number,
    options: ConstructorParameters<typeof CommandError>[1],
  ) {
    super(message, options);
  }
}

/** What to do where something else answers. */
export const CHECK_ADDRESS = 'Check the address (`--url` or WATCHPOST_URL).';
const SIGN_IN = 'Sign in with `watchpost login`, or set WATCHPOST_API_KEY.';

/** What to do about a fault, where its message does not name it. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  missing_token: SIGN_IN,
  no_workspace_context: '`watchpost workspaces` lists those that you may use; name one with `--workspace`.',
  not_found: 'Check the id, and the workspace (`watchpost whoami`).',
  precondition_failed: 'Something was changed meanwhile: run the command again, and look at the new plan.',
  internal_error: 'Try again; if it persists, give the request id to the operator of the service.',
};

/** The fault in an answer, of REST or of a proxy in front of it. */
export function apiError({ status, headers, text }: HttpAnswer, origin: string, isApiKey: boolean): ApiError {
  const body = readFault(text);
  if (!body) {
    const message = `${origin} answered with status ${status} and nothing that Watchpost answers.`;
    return new ApiError(message, status, { code: 'foreign_answer', nextStep: CHECK_ADDRESS });
  }
  return new ApiError(body.message, status, {
    code: body.error,
    details: body.details,
    requestId: body.requestId,
    nextStep: nextStepOf(body.error, headers, isApiKey),
  });
}

function nextStepOf(code: string, headers: Headers, isApiKey: boolean): string | undefined {
  if (code === 'invalid_token') {
    return isApiKey
      ? 'The key in WATCHPOST_API_KEY was revoked, has expired or belongs to another installation: make a new one in the console, Settings, API keys.'
      : 'Your sign-in has ended: `watchpost login`.';
  }
  if (code === 'rate_limited' || code === 'unavailable') {
    const seconds = headers.get('retry-after');
    return seconds === null ? 'Try again shortly.' : `Try again in ${seconds} s.`;
  }
  return NEXT_STEPS[code];
}

interface FaultBody {
  error: string;
  message: string;
  details: ErrorDetail[];
  requestId: string | undefined;
}

function readFault(text: string): FaultBody | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { error, message, details, requestId } = (body ?? {}) as Record<string, unknown>;
  if (typeof error !== 'string' || typeof message !== 'string') return undefined;
  return {
    error,
    message,
    details: Array.isArray(details) ? details.flatMap(readDetail) : [],
    requestId: typeof requestId === 'string' ? requestId : undefined,
  };
}

function readDetail(detail: unknown): ErrorDetail[] {
  const { path, message } = (detail ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
}
