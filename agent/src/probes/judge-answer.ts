import { DAY_MS } from '@watchpost/shared/time';
import type { TLSSocket } from 'node:tls';
import type { Assertion, AssertionResult } from '@watchpost/shared/assertions/assertion';
import { isAboutBody } from '@watchpost/shared/assertions/sources';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import type { SecretMask } from '@watchpost/shared/secrets/secret-mask';
import type { Header } from '@watchpost/shared/secrets/secret-values';
import { sentSecretsMask } from '@watchpost/shared/secrets/sent-secrets';
import { headerOf, type AnswerHead } from './answer-head.js';
import type { BodyMemory } from './body-memory.js';
import { BODY_LIMIT, expectedText, isExpectedStatus, judgeKeyword } from './decide-answer.js';
import { AnswerValues, UnreadBody, type AssertedBody } from './answer-values.js';
import { decideAssertions, evaluateAssertions } from './decide-assertions.js';
import { decodeBody, UnreadableBody, type DecodedBody } from './decode-body.js';
import { statusText, type Exchanged } from './http-exchange.js';
import { ProbeFault } from './probe-fault.js';
import { extractValues, type Extracted } from './steps/extract-values.js';
import { certificateOf } from './secure-socket.js';

/** The verdict of a check on a complete answer. */
export interface Judgement {
  fault: ProbeFault | null;
  /** The reason why the monitor is degraded although there is no fault. */
  degraded?: ProbeFault | null;
  assertions?: AssertionResult[];
  /** True where the fault follows from nothing but the response time, which the agent may have caused. */
  isSlowOnly?: boolean;
  /** A request of a run has them. */
  extracted?: Extracted[];
}

/** The facts of an answer that are neither in its head nor in its body. */
export interface AnswerFacts {
  /** The time of the control plane: that of the machine can be wrong. */
  nowMs: number;
  responseMs: number;
  tls: TlsFacts | null;
  redirects: number;
  url: string;
  address: string | null;
}

export interface TlsFacts {
  version: string;
  validTo: string | null;
}

export interface RunMask {
  /** The mask of what the requests of a run sent, and of secrets in the answer. */
  maskWith(extracted: readonly Extracted[]): SecretMask | null;
}

const NOTHING: readonly never[] = [];
const PASSED: Judgement = { fault: null };

/** The facts of a TLS connection, which are gone once it is closed. */
export function tlsFactsOf(socket: TLSSocket): TlsFacts {
  const version = (socket.getProtocol() ?? '').replace(/^TLSv/, '');
  return { version: version === '1' ? '1.0' : version, validTo: certificateOf(socket)?.validTo ?? null };
}

/** Decides whether the whole body of an answer is compared with something. */
export function isBodyNeeded(target: HttpTarget, { statusCode }: AnswerHead): boolean {
  const isSearched = target.keyword !== null && isAccepted(target, statusCode);
  return (
    isSearched ||
    target.assertions.some(({ source }) => isAboutBody(source)) ||
    target.extract.some(({ from }) => from === 'json' || from === 'regex')
  );
}

/** An assertion about the status alone decides about it. */
function isAccepted(target: HttpTarget, statusCode: number): boolean {
  return target.assertions.some(({ source }) => source === 'status') || isExpectedStatus(statusCode, target);
}

/**
 * Judges an answer by its status, its keyword and its assertions, all of which are evaluated.
 * @param run null where it is the only request of a check
 * @param cookies those that would be sent to the URL of the answer now
 */
export function judgeAnswer(
  target: HttpTarget,
  exchanged: Exchanged,
  facts: () => AnswerFacts,
  bodies: BodyMemory,
  run: RunMask | null,
  cookies: readonly Header[],
): Promise<Judgement> | Judgement {
  const head = exchanged.head!;
  const status = isAccepted(target, head.statusCode)
    ? null
    : new ProbeFault('unexpected_status', { status: statusText(head.statusCode), expected: expectedText(target) });
  const extractions = run ? target.extract : NOTHING;
  if (target.assertions.length + extractions.length === 0 && (status || target.keyword === null))
    return status ? { fault: status } : PASSED;
  const judge = async (): Promise<Judgement> => {
    const body = isBodyNeeded(target, head) ? await decodeBody(exchanged.body, head, BODY_LIMIT) : null;
    const fault = status ?? keywordFault(target, exchanged, body);
    const assertions = target.assertions as readonly Assertion[];
    if (assertions.length + extractions.length === 0) return { fault };
    const values = new AnswerValues(answerOf(exchanged, body, facts()));
    const extracted = extractValues(extractions, values, cookies);
    if (assertions.length === 0) return { fault, extracted };
    const mask = run ? run.maskWith(extracted) : sentSecretsMask(target);
    const results = evaluateAssertions(assertions, values, mask ?? ((text) => text));
    const decided = decideAssertions(assertions, results);
    return {
      fault: fault ?? decided.fault,
      degraded: fault ? null : decided.degraded,
      assertions: results,
      isSlowOnly: fault === null && decided.isSlowOnly,
      extracted,
    };
  };
  return headerOf(head, 'content-encoding') === undefined ? judge() : bodies.decoding.run(judge);
}

function keywordFault(
  { keyword }: HttpTarget,
  exchanged: Exchanged,
  body: DecodedBody | UnreadableBody | null,
): ProbeFault | null {
  if (keyword === null || body === null) return null;
  if (body instanceof UnreadableBody) return new ProbeFault('body_unreadable', { coding: body.coding });
  const isFound = body.contains(keyword.text);
  // It can be in what is missing.
  if (!isFound && keyword.mode === 'absent' && body.openCoding !== null && !exchanged.cut)
    return new ProbeFault('body_unreadable', { coding: body.openCoding });
  return judgeKeyword(keyword, isFound, isCut(exchanged, body));
}

function isCut({ cut }: Exchanged, body: DecodedBody): boolean {
  return cut || body.bytes.length >= BODY_LIMIT;
}

function answerOf(exchanged: Exchanged, body: DecodedBody | UnreadableBody | null, facts: AnswerFacts) {
  const head = exchanged.head!;
  const { tls, nowMs } = facts;
  return {
    head,
    body: assertedBody(exchanged, body),
    nowMs,
    status: head.statusCode,
    responseTime: facts.responseMs,
    tlsVersion: tls && tls.version,
    httpVersion: exchanged.httpVersion,
    certificateDays: tls?.validTo ? Math.floor((Date.parse(tls.validTo) - nowMs) / DAY_MS) : null,
    redirectCount: facts.redirects,
    finalUrl: facts.url,
    address: facts.address,
  };
}

function assertedBody(exchanged: Exchanged, body: DecodedBody | UnreadableBody | null): AssertedBody | UnreadBody {
  if (body instanceof UnreadableBody) return new UnreadBody(`the body is not valid ${body.coding} data`);
  if (body === null) return new UnreadBody('the body was not kept');
  if (isCut(exchanged, body)) return new UnreadBody('the body is longer than 1 MiB');
  if (body.openCoding !== null) return new UnreadBody(`the body ends within its ${body.openCoding} data`);
  return { size: body.bytes.length, text: body.text };
}
