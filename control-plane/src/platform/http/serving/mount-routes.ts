import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { Fault } from '@watchpost/shared/fault';
import { routeHandler, type RouteDeps } from './handle-route.js';
import { unknownPage } from '../answering/error-page.js';
import { sendAnswer } from '../answering/send-answer.js';
import { requestState } from './request-state.js';
import type { Route } from '../route.js';

/** Mounts every route, and what answers the rest: 404 for an unknown path, 405 for a known one, OPTIONS. */
export function mountRoutes(routes: readonly Route[], deps: RouteDeps): Middleware[] {
  const router = new Router({ sensitive: true, strict: true });
  for (const route of routes.toSorted((a, b) => bySpecificity(a.path, b.path))) {
    router[route.method](routerPath(route), routeHandler(route, deps));
  }
  return [router.routes() as unknown as Middleware, answerUnrouted];
}

const SLASH = '{/}';

/** `{id}` as the router writes it, and the slash that may follow. */
function routerPath({ path, takesSlash }: Route): string {
  return path.replace(/\{(\w+)\}/g, ':$1') + (takesSlash ? SLASH : '');
}

/** A literal segment goes before a parameter: `/members/me` before `/members/{memberId}`. */
export function bySpecificity(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = Number(left[index]!.includes('{')) - Number(right[index]!.includes('{'));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Below these, programs call: their errors are JSON whatever they accept. */
const FOR_PROGRAMS = /^\/(?:api|mcp|health|metrics|swagger|\.well-known)(?:\/|$)/;

/** Whether a browser followed a link that leads nowhere. */
function wantsPage(ctx: Context): boolean {
  if (FOR_PROGRAMS.test(ctx.path) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
  return ctx.req.headers.accept !== undefined && ctx.accepts(['application/json', 'text/html']) === 'text/html';
}

interface Matched {
  matched?: { path: string; methods: string[] }[];
}

function answerUnrouted(ctx: Context): void {
  if (ctx.method === 'OPTIONS' && ctx.path === '*') {
    ctx.status = 204;
    return;
  }
  const layers = (ctx as unknown as Matched).matched ?? [];
  const methods = new Set(layers.flatMap((layer) => layer.methods));
  if (methods.size === 0) {
    if (!FOR_PROGRAMS.test(ctx.path)) ctx.vary('Accept');
    if (wantsPage(ctx)) return sendAnswer(ctx, unknownPage());
    throw new Fault('not_found', 'There is nothing at this path: /swagger lists what there is.');
  }
  requestState(ctx).route = layers[0]!.path.replace(SLASH, '').replace(/:(\w+)/g, '{$1}');
  const allow = [...methods, 'OPTIONS'].toSorted().join(', ');
  ctx.set('Allow', allow);
  if (ctx.method !== 'OPTIONS') throw new Fault('method_not_allowed', `This path takes ${allow}.`);
  ctx.status = 204;
}
