import type { Context } from 'koa';
import { Fault } from '@watchpost/shared/fault';
import { EVENT_STREAM, type EventStreamAnswer, type StreamEnd } from '../event-stream.js';
import { requestState } from '../serving/request-state.js';
import type { PreparedAnswer } from './prepared-answer.js';

/** Well below what proxies and this server's own socket timeout (120 s) take for a dead connection. */
const HEARTBEAT_MS = 15_000;
/** How long a caller who may no longer read still can. */
const RECHECK_MS = 5_000;
/** What a client that does not read may leave in memory here. */
const MOST_UNREAD_BYTES = 65_536;

/**
 * Answers with an event stream, which goes on after the request was handled.
 * @param admitAgain repeats the checks of the request; throws the Fault for which it would be refused now
 */
export function sendStream(
  ctx: Context,
  answer: PreparedAnswer,
  stream: EventStreamAnswer,
  admitAgain: () => Promise<unknown>,
): void {
  const { res } = ctx;
  ctx.respond = false;
  requestState(ctx).isStream = true;
  let isOver = false;
  const timers: NodeJS.Timeout[] = [];
  const finish = (reason: StreamEnd): void => {
    if (isOver) return;
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    stream.closed(reason);
  };
  if (res.destroyed || res.socket?.destroyed !== false) {
    finish('client');
    return;
  }
  res.once('close', () => finish('client'));
  res.on('error', () => finish('client'));
  res.writeHead(answer.status, {
    ...answer.headers,
    'Content-Type': EVENT_STREAM,
    // Proxies neither keep, compress nor hold back the events (`X-Accel-Buffering` is nginx's).
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  const end = (reason: StreamEnd): void => {
    finish(reason);
    res.end();
  };
  if (ctx.method === 'HEAD') {
    end('server');
    return;
  }
  const write = (text: string): void => {
    if (isOver) return;
    if (res.writableLength > MOST_UNREAD_BYTES) {
      finish('slow');
      res.destroy();
    } else res.write(text);
  };
  const recheck = async (): Promise<void> => {
    try {
      await admitAgain();
    } catch (error) {
      // Without an answer, such as while the database is away, the stream stays: it has nothing to send then.
      if (error instanceof Fault && error.code !== 'unavailable') end('refused');
    }
    if (!isOver) timers[1] = setTimeout(() => void recheck(), RECHECK_MS).unref();
  };
  timers[0] = setInterval(() => write(`: \n\n${stream.heartbeat()}`), HEARTBEAT_MS).unref();
  timers[1] = setTimeout(() => void recheck(), RECHECK_MS).unref();
  stream.open({ write, end });
}
