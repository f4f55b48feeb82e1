import type { Context } from 'koa';
import { notFound } from '@watchpost/shared/fault';
import { decideEncoding, type Encoding } from '../../platform/http/decide-encoding.js';
import { noneMatchHolds } from '../../platform/http/entity-tag.js';
import { DATA_POLICY } from '../../platform/http/security-headers.js';
import type { BuiltConsole } from './built-files.js';

/** Below it are the files of the build. */
export const FILES_PATH = '/console/files/';

/** Serves a file of the build for good: another content has another name. @throws Fault `not_found` */
export function serveBuiltFile(ctx: Context, built: BuiltConsole): void {
  const file = built.files.get(ctx.path.slice(FILES_PATH.length));
  if (!file) throw notFound('file of the console');
  const available: Encoding[] = [...(file.br ? ['br' as const] : []), ...(file.gzip ? ['gzip' as const] : [])];
  const encoding = decideEncoding(ctx.req.headers['accept-encoding'], available);
  const tag = `"${file.digest}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  ctx.vary('Accept-Encoding');
  ctx.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': DATA_POLICY,
    'Cross-Origin-Resource-Policy': 'same-origin',
    ETag: tag,
  });
  if (noneMatchHolds(ctx.req.headers['if-none-match'], tag)) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.status = 200;
  ctx.type = file.type;
  ctx.body = file[encoding];
}
