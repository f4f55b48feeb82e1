import type { Context } from 'koa';
import { noneMatchHolds } from '../entity-tag.js';
import type { PreparedAnswer } from './prepared-answer.js';
import { DATA_POLICY } from '../security-headers.js';

/** Puts an answer on the wire; a GET whose caller has it already becomes 304 (RFC 9110 §15.4.5). */
export function sendAnswer(ctx: Context, answer: PreparedAnswer): void {
  const { res, method } = ctx;
  for (const name of Object.keys(answer.headers)) {
    // What the shell's own parts vary by, such as `Origin`, stays.
    if (name === 'Vary') ctx.vary(answer.headers[name]!);
    else res.setHeader(name, answer.headers[name]!);
  }
  if (answer.type === 'application/json') res.setHeader('Content-Security-Policy', DATA_POLICY);
  const tag = answer.headers['ETag'];
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && !answer.alwaysSent && tag !== undefined && noneMatchHolds(ctx.req.headers['if-none-match'], tag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = answer.status;
  if (answer.type !== null && answer.body !== null) {
    res.setHeader('Content-Type', answer.type === 'application/json' ? 'application/json; charset=utf-8' : answer.type);
    ctx.body = answer.body;
  }
}
