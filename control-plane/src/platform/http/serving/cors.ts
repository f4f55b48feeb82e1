import type { Middleware } from 'koa';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const REQUEST_HEADERS =
  'Authorization, Content-Type, X-Workspace-Id, X-Request-Id, Idempotency-Key, If-Match, If-None-Match, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID';
const ANSWER_HEADERS =
  'ETag, Link, Location, X-Total-Count, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, Idempotent-Replayed, Deprecation, Mcp-Session-Id';
const MAX_AGE_SECONDS = '600';

/**
 * Lets pages of the given origins call (the Fetch standard's CORS protocol). Credentials are never
 * allowed: callers send a token, and a cookie alone must not act for anybody.
 * @param origins exact origins, or `*`; none lets nobody in
 */
export function cors(origins: readonly string[]): Middleware {
  const any = origins.includes('*');
  const allowed = new Set(origins.map((origin) => origin.replace(/\/$/, '').toLowerCase()));
  return (ctx, next) => {
    if (origins.length === 0) return next();
    if (!any) ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (origin === '' || !(any || allowed.has(origin.toLowerCase()))) return next();
    ctx.set('Access-Control-Allow-Origin', any ? '*' : origin);
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') {
      ctx.set('Access-Control-Expose-Headers', ANSWER_HEADERS);
      return next();
    }
    ctx.set({
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': MAX_AGE_SECONDS,
    });
    ctx.status = 204;
    return undefined;
  };
}
