import type { Context } from 'koa';
import type { Html } from '../../platform/http/html.js';
import { PLAIN_PAGE_HEADERS, plainPage } from '../../platform/http/plain-page.js';

/** Answers with a page that runs no script, loads nothing, and cannot be framed. */
export function sendPage(
  ctx: Pick<Context, 'set' | 'status' | 'type' | 'body'>,
  title: string,
  body: Html,
  status = 200,
): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.set(PLAIN_PAGE_HEADERS);
  ctx.body = plainPage(title, body);
}
