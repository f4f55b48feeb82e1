import type { Context, Middleware } from 'koa';
import { Fault, FAULT_STATUS } from '@watchpost/shared/fault';
import type { Logger } from 'pino';
import { errorPage } from './error-page.js';
import { answerFault, faultOf } from './on-error.js';
import { RequestOver } from '../../db/request-context.js';
import { requestState } from '../serving/request-state.js';
import type { PreparedAnswer } from './prepared-answer.js';
import { sendAnswer } from './send-answer.js';

/** Catches whatever the rest throws, logs what is our fault, and answers. No other place turns errors into answers. */
export function answerErrors(logger: Logger, baseUrl: string): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      answerError(ctx, error, logger, baseUrl);
    }
  };
}

function answerError(ctx: Context, error: unknown, logger: Logger, baseUrl: string): void {
  const { requestId } = requestState(ctx);
  if (error instanceof RequestOver) {
    ctx.respond = false;
    ctx.res.destroy();
    return;
  }
  const fault = faultOf(error);
  // A fault that somebody raised is an answer that was meant, such as 503 without an agent: no trace, and no alarm.
  if (error instanceof Fault) logger.debug({ requestId, code: fault.code, reason: fault.message }, 'request refused');
  else if (FAULT_STATUS[fault.code] >= 500) logger.error({ err: error, requestId }, 'request failed');
  if (ctx.res.headersSent) {
    // Half an answer is out: the caller must see that it broke off.
    ctx.respond = false;
    ctx.res.destroy();
    return;
  }
  ctx.respond = true;
  sendAnswer(ctx, answerRefusal(ctx, fault, baseUrl));
}

/** What a fault becomes for this caller: a page for who would rather have one where the route has pages, else JSON. */
export function answerRefusal(ctx: Context, fault: Fault, baseUrl: string): PreparedAnswer {
  const { requestId, scopes, wantsPage } = requestState(ctx);
  const answer = answerFault(fault, { requestId, baseUrl, scopes });
  return wantsPage ? errorPage(answer, fault) : answer;
}
