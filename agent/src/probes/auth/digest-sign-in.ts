import { randomBytes } from 'node:crypto';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import { valuesOf, type AnswerHead } from '../answer-head.js';
import { printable } from '../printable.js';
import { ProbeFault } from '../probe-fault.js';
import type { HttpRequest } from '../request-head.js';
import { challengeFault, digestAuthorization, digestChallenges, type Challenge } from './digest.js';
import { OwnOrigin, withHeader, type SignIn } from './sign-in.js';

/** Signs in by Digest (RFC 7616): the first request of a check is challenged. */
export class DigestSignIn implements SignIn {
  readonly waitedUs = 0;
  readonly sent: { name: string; value: string }[] = [];
  readonly #own = new OwnOrigin();
  #challenge: Challenge | null = null;
  #count = 0;
  /** The request that was challenged last, and how often. */
  #challenged: HttpRequest | null = null;
  #times = 0;

  constructor(private readonly auth: Extract<HttpTarget['auth'], { type: 'digest' }>) {}

  sign(request: HttpRequest): HttpRequest {
    if (!this.#own.has(request)) return request;
    if (this.#challenge === null)
      return { ...request, head: request.head.replace(/close\r\n\r\n$/, 'keep-alive\r\n\r\n'), keepsOpen: true };
    const { pathname, search } = new URL(request.href);
    const { method } = request;
    const cnonce = randomBytes(16).toString('hex');
    const value = digestAuthorization(this.#challenge, {
      ...this.auth,
      method,
      uri: `${pathname}${search}`,
      cnonce,
      count: ++this.#count,
    });
    this.sent.push({ name: 'Authorization', value });
    return withHeader(request, { name: 'Authorization', value });
  }

  judge(request: HttpRequest, head: AnswerHead): boolean | ProbeFault {
    if (head.statusCode !== 401 || !this.#own.has(request)) return false;
    this.#times = this.#challenged === request ? this.#times + 1 : 1;
    this.#challenged = request;
    const challenges = digestChallenges(valuesOf(head, 'www-authenticate'));
    const [first] = challenges;
    if (first === undefined)
      return new ProbeFault('digest_unusable', { why: 'it answers 401 without a challenge of Digest' });
    const usable = challenges.find((challenge) => challengeFault(challenge) === null);
    if (usable === undefined) return new ProbeFault('digest_unusable', { why: printable(challengeFault(first)!) });
    // An answer to a challenge that is refused is wrong, unless the nonce was too old.
    const isStale = usable.get('stale')?.toLowerCase() === 'true';
    if (this.#times > 2 || (this.#times === 2 && !isStale)) return false;
    [this.#challenge, this.#count] = [usable, 0];
    return true;
  }
}
