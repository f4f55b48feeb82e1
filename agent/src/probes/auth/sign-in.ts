import type { Header } from '@watchpost/shared/secrets/secret-values';
import type { AnswerHead } from '../answer-head.js';
import type { ProbeFault } from '../probe-fault.js';
import type { HttpRequest } from '../request-head.js';

/** The sign-in of one check, where a header that is always the same does not do. */
export interface SignIn {
  /** The request as it is sent, or why it cannot sign in. */
  sign(request: HttpRequest): Promise<HttpRequest | ProbeFault> | HttpRequest;
  /** Decides whether the request is repeated after this answer, or reports why it cannot sign in. */
  judge(request: HttpRequest, head: AnswerHead): boolean | ProbeFault;
  /** The time that was spent on signing in itself, beside the requests to the target. */
  readonly waitedUs: number;
  /** The secrets that were sent beside those of the target. */
  readonly sent: readonly Header[];
}

/** Adds a header to a request; headers for its redirects stay as they are. */
export function withHeader(request: HttpRequest, { name, value }: Header): HttpRequest {
  return { ...request, head: `${request.head.slice(0, -2)}${name}: ${value}\r\n\r\n` };
}

/** Remembers whether a chain of redirects is still at the origin at which it began: only there credentials are sent. */
export class OwnOrigin {
  #origin: string | undefined;
  #isLeft = false;

  /** @returns whether this request, and all before it, are to the first origin */
  has({ href }: HttpRequest): boolean {
    const { origin } = new URL(href);
    this.#origin ??= origin;
    this.#isLeft ||= origin !== this.#origin;
    return !this.#isLeft;
  }
}
