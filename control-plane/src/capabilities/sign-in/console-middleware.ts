import type { Context, Middleware } from 'koa';
import { Fault } from '@watchpost/shared/fault';
import type { RateLimiter } from '../../platform/http/rate-limiter.js';
import { readBody } from '../../platform/http/reading/read-body.js';
import { readCookie } from '../../platform/http/reading/read-credentials.js';
import { addressBlock } from '../../platform/http/remote-address.js';
import { isSameOrigin } from '../../platform/http/same-origin.js';
import { withDeadline } from '../../platform/http/serving/request-deadline.js';
import { requestState } from '../../platform/http/serving/request-state.js';
import type { Caller, Via } from '../../platform/identity/caller.js';
import { SignInRefused } from '../../platform/identity/sign-in-client.js';
import type { BuiltConsole } from './built-files.js';
import {
  CONSOLE_PAGE_HEADERS,
  type ConsoleLinks,
  problemPage,
  refusedPage,
  signedOutAtProviderPage,
  signedOutPage,
  unconfiguredPage,
} from './console-page.js';
import type { ConsoleCookies } from './cookies.js';
import { decideReturnPath } from './decide-return-path.js';
import { decideConsolePlace, type FirstDocumentDeps, readFirstDocument } from './first-document.js';
import type { FirstDocument } from './first-document-schemas.js';
import { ICON_SVG, PICTURE } from './picture.js';
import { FILES_PATH, serveBuiltFile } from './serve-files.js';
import { SHELL_HEADERS, shellPage } from './shell-page.js';
import type { ConsoleMetrics, SignInOutcome } from './session-metrics.js';
import { type ConsoleSessions, type LiveSession, SESSION_LIFE_MS } from './sessions.js';
import { beginSignIn, finishSignIn, SIGN_IN_MS, type SignInDeps } from './sign-in.js';

const DEADLINE_MS = 30_000;
const HTML = 'text/html; charset=utf-8';
const NOT_BUILT =
  'The console of this installation was not built. The operator finds the reason in the log of its start.';

export interface ConsoleOptions {
  /** Without a slash at the end. */
  baseUrl: string;
  issuer: string;
  cookies: ConsoleCookies;
  sessions: ConsoleSessions;
  /** null where the console is not registered at the provider. */
  signIn: SignInDeps | null;
  /** Sign-ins by address: each that ends is a request to the provider. */
  limiter: RateLimiter;
  metrics: ConsoleMetrics;
  /** Pages of the console by user: each reads as much as several requests of REST. */
  pageLimiter: RateLimiter;
  links: ConsoleLinks;
  /** null where the console was not built. */
  built: BuiltConsole | null;
  first: FirstDocumentDeps;
  /** From the value of the session cookie to the caller, and when the session ends. */
  admit(session: LiveSession): Promise<Caller>;
}

/** Serves `/console` and everything below: sign-in, sign-out, and the pages. */
export function consoleMiddleware(options: ConsoleOptions): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/console' && !ctx.path.startsWith('/console/')) {
      await next();
      return;
    }
    const state = requestState(ctx);
    state.wantsPage = true;
    const serve = handlerOf(ctx, options);
    state.route = serve.route;
    state.quiet = serve.isQuiet === true;
    state.secretPath = true;
    await withDeadline(ctx.res, DEADLINE_MS, () => serve.run());
  };
}

function handlerOf(ctx: Context, options: ConsoleOptions): { route: string; isQuiet?: boolean; run(): Promise<void> } {
  switch (ctx.path) {
    case '/console/sign-in':
      return { route: ctx.path, run: () => reading(ctx, () => signIn(ctx, options)) };
    case '/console/callback':
      return { route: ctx.path, run: () => reading(ctx, () => callBack(ctx, options)) };
    case '/console/sign-out':
      return { route: ctx.path, run: () => signOut(ctx, options) };
    case '/console/picture.svg':
      return { route: ctx.path, isQuiet: true, run: () => reading(ctx, () => showPicture(ctx, PICTURE.svg)) };
    case '/console/icon.svg':
      return { route: ctx.path, isQuiet: true, run: () => reading(ctx, () => showPicture(ctx, ICON_SVG)) };
    default:
      if (ctx.path.startsWith(FILES_PATH))
        return { route: `${FILES_PATH}…`, isQuiet: true, run: () => reading(ctx, () => serveFile(ctx, options)) };
      return { route: '/console/…', run: () => reading(ctx, () => showConsole(ctx, options)) };
  }
}

async function reading(ctx: Context, answer: () => Promise<void>): Promise<void> {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.set('Allow', 'GET, HEAD');
    throw new Fault('method_not_allowed', 'This page takes GET only.');
  }
  await answer();
}

function sendPage(ctx: Context, body: string, status = 200): void {
  ctx.set(CONSOLE_PAGE_HEADERS);
  ctx.status = status;
  ctx.type = HTML;
  ctx.body = body;
}

function redirect(ctx: Context, location: string): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(location);
  ctx.status = 303;
}

function signInUrl({ baseUrl }: ConsoleOptions, returnTo: string): string {
  return returnTo === '/console'
    ? `${baseUrl}/console/sign-in`
    : `${baseUrl}/console/sign-in?returnTo=${encodeURIComponent(returnTo)}`;
}

async function signIn(ctx: Context, options: ConsoleOptions): Promise<void> {
  if (!options.signIn) return sendUnconfigured(ctx, options);
  await requireWithinRate(ctx, options);
  const wanted = ctx.query['returnTo'];
  const returnTo = decideReturnPath(typeof wanted === 'string' ? wanted : null, options.baseUrl);
  const { location, cookie } = await counted(options, () => beginSignIn(options.signIn!, returnTo));
  ctx.append('Set-Cookie', options.cookies.write(options.cookies.signIn, cookie, SIGN_IN_MS / 1_000));
  redirect(ctx, location);
}

async function callBack(ctx: Context, options: ConsoleOptions): Promise<void> {
  const { cookies, metrics } = options;
  if (!options.signIn) return sendUnconfigured(ctx, options);
  await requireWithinRate(ctx, options);
  const header = ctx.req.headers.cookie;
  try {
    const { cookie, returnTo } = await counted(options, () =>
      finishSignIn(
        options.signIn!,
        {
          signIn: readCookie(header, cookies.signIn),
          session: readCookie(header, cookies.session),
          userAgent: ctx.req.headers['user-agent'] ?? null,
          remoteAddress: requestState(ctx).remoteAddress || null,
        },
        new URLSearchParams(ctx.querystring),
      ),
    );
    ctx.append('Set-Cookie', cookies.clear(cookies.signIn));
    ctx.append('Set-Cookie', cookies.write(cookies.session, cookie, SESSION_LIFE_MS / 1_000));
    metrics.countSignIn('signed_in');
    redirect(ctx, options.baseUrl + returnTo);
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    // An answer to another request leaves the sign-in that is under way alone: anybody can send a browser here.
    if (error.reason !== 'mismatch') ctx.append('Set-Cookie', cookies.clear(cookies.signIn));
    sendPage(ctx, refusedPage(error.message, signInUrl(options, '/console'), options.links), 400);
  }
}

/** Counts a sign-in that does not go on. */
async function counted<T>({ metrics }: ConsoleOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    metrics.countSignIn(outcomeOf(error));
    throw error;
  }
}

function outcomeOf(error: unknown): SignInOutcome {
  if (error instanceof SignInRefused) return error.reason;
  return error instanceof Fault && error.code === 'member_suspended' ? 'suspended' : 'unavailable';
}

async function requireWithinRate(ctx: Context, { limiter, metrics }: ConsoleOptions): Promise<void> {
  const quota = await limiter.take(addressBlock(requestState(ctx).remoteAddress));
  if (quota.allowed) return;
  metrics.countSignIn('limited');
  throw new Fault('rate_limited', 'Too many sign-ins came from this address; wait a minute.', [], quota.resetSeconds);
}

/** Ends the session of the cookie; with `everywhere`, all sessions of the user. */
async function signOut(ctx: Context, options: ConsoleOptions): Promise<void> {
  const { baseUrl, cookies, sessions } = options;
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST');
    throw new Fault('method_not_allowed', 'Signing out takes POST only.');
  }
  if (!isSameOrigin(ctx.req, new URL(baseUrl).origin))
    throw new Fault('missing_token', 'Sign out from a page of the console.');
  const form = new URLSearchParams((await readBody(ctx.req, () => ctx.set('Connection', 'close'))).toString('utf8'));
  const isEverywhere = 'everywhere' in ctx.query || form.has('everywhere');
  const token = readCookie(ctx.req.headers.cookie, cookies.session);
  const ended = token === undefined ? null : await sessions.endByToken(token);
  if (ended && isEverywhere) await sessions.endAll(ended.userId);
  ctx.append('Set-Cookie', cookies.clear(cookies.session));
  const location = (ended && (await options.signIn?.client.signOutLocation(ended.idToken))) ?? null;
  if (ctx.accepts('text/html', 'application/json') === 'application/json') {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { location: location ?? `${baseUrl}/console` };
  } else if (location === null) redirect(ctx, `${baseUrl}/console`);
  // Not a redirect: the policy of the page whose form came here allows none to another site.
  else sendPage(ctx, signedOutAtProviderPage(location, options.links));
}

function showPicture(ctx: Context, svg: string): Promise<void> {
  ctx.set({
    'Cache-Control': 'public, max-age=86400',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  ctx.type = 'image/svg+xml';
  ctx.body = svg;
  return Promise.resolve();
}

async function showConsole(ctx: Context, options: ConsoleOptions): Promise<void> {
  const token = readCookie(ctx.req.headers.cookie, options.cookies.session);
  const session = token === undefined ? null : await options.sessions.find(token);
  if (session) return showShell(ctx, options, session);
  if (!options.signIn) return sendUnconfigured(ctx, options);
  const returnTo = decideReturnPath(ctx.path + ctx.search, options.baseUrl);
  sendPage(ctx, signedOutPage(signInUrl(options, returnTo), options.links));
}

/** A page of the console for somebody who is signed in. */
async function showShell(ctx: Context, options: ConsoleOptions, session: LiveSession): Promise<void> {
  const { built, links } = options;
  const state = requestState(ctx);
  state.userId = session.userId;
  const caller = await options.admit(session);
  const place = decideConsolePlace(ctx.path, ctx.URL.searchParams);
  if (!place) return sendPage(ctx, problemPage('Nothing here', 'The console has no page at this address.', links), 404);
  if (!built) return sendPage(ctx, problemPage('Not right now', NOT_BUILT, links), 503);
  const quota = await options.pageLimiter.take(session.userId);
  if (!quota.allowed)
    throw new Fault('rate_limited', 'You opened too many pages at once; wait a moment.', [], quota.resetSeconds);
  const { requestId, remoteAddress } = state;
  const via: Via = { channel: 'console', client: null, requestId, remoteAddress: remoteAddress || null };
  let first: FirstDocument;
  try {
    first = await readFirstDocument(options.first, caller, via, place);
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== 'not_found' && error.code !== 'member_suspended')) throw error;
    const isUnknown = error.code === 'not_found';
    const title = isUnknown ? 'Nothing here' : 'Suspended';
    return sendPage(ctx, problemPage(title, error.message, links), isUnknown ? 404 : 403);
  }
  if (first.workspaceId !== null) state.workspaceId = first.workspaceId;
  ctx.set(SHELL_HEADERS);
  ctx.status = 200;
  ctx.type = HTML;
  ctx.body = shellPage(built, first);
}

function serveFile(ctx: Context, { built }: ConsoleOptions): Promise<void> {
  if (!built) throw new Fault('unavailable', NOT_BUILT, [], 60);
  serveBuiltFile(ctx, built);
  return Promise.resolve();
}

function sendUnconfigured(ctx: Context, { issuer, baseUrl, links }: ConsoleOptions): void {
  sendPage(ctx, unconfiguredPage({ issuer, callback: `${baseUrl}/console/callback` }, links));
}
