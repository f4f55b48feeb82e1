import type { HttpTarget } from '@watchpost/shared/checks/http';
import type { Header } from '@watchpost/shared/secrets/secret-values';
import { signInOf } from './auth/sign-in-of.js';
import type { SignIn } from './auth/sign-in.js';
import type { BodyUse } from './body-memory.js';
import type { Deadline } from './deadline.js';
import { cookiesFor, type ChainAnswer } from './decide-cookies.js';
import { decideRedirect, isRedirect } from './decide-redirect.js';
import { runHop, type Hop } from './http-hop.js';
import { judgeAnswer, type AnswerFacts, type Judgement, type RunMask } from './judge-answer.js';
import { preparedRequest } from './prepared-request.js';
import type { ProbeContext } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { usSince, type Reach } from './reach-host.js';
import type { HttpRequest } from './request-head.js';

/** One request of a check, with its redirects and its sign-in. */
export interface Visit {
  target: HttpTarget;
  first: HttpRequest | ProbeFault;
  context: ProbeContext;
  deadline: Deadline;
  memory: BodyUse;
  /** The requests before it had this, where there are several. */
  earlier: EarlierVisits | null;
}

export interface EarlierVisits extends RunMask {
  /** The cookies are those of these answers. */
  answers: readonly ChainAnswer[];
}

export interface Visited {
  startedAtMs: number;
  totalUs: number;
  authUs: number;
  hops: readonly Hop[];
  judgement: Judgement;
  /** The secrets that were sent beside those of the target. */
  sent: readonly Header[];
}

const NONE: readonly never[] = [];
export const chainOf = (hops: readonly Hop[]): Hop[] => hops.filter((hop) => !hop.isTokenRequest);
const queuedUs = (hops: readonly { reach: Reach }[]): number =>
  hops.reduce((sum, { reach }) => sum + reach.queuedUs, 0);

/** Sends a request, follows redirects and judges the last answer. Connections are closed at its end. */
export async function visitSite({ target, first, context, deadline, memory, earlier }: Visit): Promise<Visited> {
  const startedAtMs = Date.now();
  const since = performance.now();
  const hops: Hop[] = [];
  const signIn = signInOf(target, context, deadline, async (tokenTarget) => {
    const request = preparedRequest(tokenTarget, context);
    if (request instanceof ProbeFault) return { fault: request, exchanged: null };
    const hop = await runHop(request, tokenTarget, context, deadline, memory);
    hops.push({ ...hop, isTokenRequest: true });
    return hop;
  });
  const answers = earlier?.answers ?? NONE;
  try {
    let request: HttpRequest | ProbeFault | null = first;
    let asked = target;
    while (request !== null && !(request instanceof ProbeFault)) {
      const signed = signIn ? await signIn.sign(request) : request;
      if (signed instanceof ProbeFault) {
        request = signed;
        break;
      }
      const hop = await runHop(signed, asked, context, deadline, memory, hops.at(-1));
      hops.push(hop);
      // The server has not begun with the request (RFC 9113 §7): it gets it once more, as from browsers.
      if (hop.exchanged?.needsHttp1 && asked.httpVersion === 'auto') {
        asked = { ...target, httpVersion: '1.1' };
        continue;
      }
      request = hop.fault ?? nextRequest(target, request, hops, answers, context, signIn);
    }
    const authUs = signIn ? Math.max(0, signIn.waitedUs - queuedUs(hops.filter((hop) => hop.isTokenRequest))) : 0;
    const totalUs = usSince(since) - queuedUs(hops) - authUs;
    const judgement = request
      ? { fault: request }
      : await judgeAnswer(
          target,
          hops.at(-1)!.exchanged!,
          () => factsOf(hops, totalUs, context.now()),
          context.bodies,
          earlier,
          earlier && target.extract.length > 0
            ? cookiesFor(new URL(hops.at(-1)!.url), [...answers, ...answersOf(hops)])
            : NONE,
        );
    return { startedAtMs, totalUs, authUs, hops, judgement, sent: signIn?.sent ?? NONE };
  } finally {
    for (const { exchanged } of hops) exchanged?.open?.destroy();
  }
}

export function answersOf(hops: readonly Hop[]): ChainAnswer[] {
  return chainOf(hops).flatMap(({ url, exchanged }) => (exchanged?.head ? [{ url, head: exchanged.head }] : []));
}

/** Decides what follows the answer of the last hop: another request, a fault, or nothing. */
function nextRequest(
  target: HttpTarget,
  request: HttpRequest,
  hops: readonly Hop[],
  earlier: readonly ChainAnswer[],
  { userAgent }: ProbeContext,
  signIn: SignIn | null,
): HttpRequest | ProbeFault | null {
  const head = hops.at(-1)!.exchanged!.head!;
  const again = signIn?.judge(request, head) ?? false;
  if (again instanceof ProbeFault) return again;
  if (again) return request;
  return isRedirect(head.statusCode) ? decideRedirect(target, request, answersOf(hops), userAgent, earlier) : null;
}

function factsOf(hops: readonly Hop[], totalUs: number, nowMs: number): AnswerFacts {
  const { url, reach, tls } = hops.at(-1)!;
  const redirects = answersOf(hops.slice(0, -1)).filter(({ head }) => isRedirect(head.statusCode)).length;
  return { nowMs, responseMs: totalUs / 1_000, tls, redirects, url, address: reach.address };
}
