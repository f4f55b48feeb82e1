import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { systemClock } from '@watchpost/shared/clock';
import type { CheckFindings, CheckResult, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { type BuiltConsole, readBuiltConsole } from '@watchpost/control-plane/capabilities/sign-in/index';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, resultOf, resultsDeps } from '../integration/results/seed.js';
import { eventually } from './eventually.js';
import { startTestApp, type TestApp, type TestAppOptions } from './app.js';
import { PAGE_DEADLINE_MS, startBrowser } from './browser.js';

/** Of the console's workspace. */
const CONSOLE = fileURLToPath(new URL('../../../control-plane/console/', import.meta.url));

export interface ConsoleStage {
  readonly app: TestApp;
  readonly browser: Browser;
  /** Signs a user in with a browser of their own, and shows the overview of the workspace. */
  visit(user: { sub: string }, options?: VisitOptions): Promise<Visit>;
  stop(): Promise<void>;
}

export interface VisitOptions {
  /** Default: the owner's. */
  workspaceId?: string;
  /** Below the workspace, such as `/monitors`. Default: the overview. */
  path?: string;
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
}

/** A tab of the console in which somebody is signed in. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The address of a screen: `/monitors`. */
  address(screen?: string): string;
  open(screen?: string): Promise<void>;
  /** Faults of scripts, what the content security policy refused, and requests that failed without being expected. */
  readonly complaints: string[];
  /** From now on, complaints that match are none. */
  expects(complaint: RegExp): void;
  close(): Promise<void>;
}

/**
 * The control plane in this process with the built console, and a browser. Its clock is the real one, because the browser
 * has no other; there are no agents and running jobs: see `fileCheck`.
 */
export async function startConsole(options: TestAppOptions = {}): Promise<ConsoleStage> {
  const builtConsole = await buildConsole();
  const env = { OIDC_CONSOLE_CLIENT_ID: 'console', ...options.env };
  const [app, browser] = await Promise.all([
    startTestApp({ clock: systemClock, builtConsole, ...options, env }),
    startBrowser(),
  ]);
  return {
    app,
    browser,
    async visit({ sub }, { workspaceId = app.owner.workspaceId, path = '', ...look } = {}) {
      const visit = await openVisit(browser, `${app.baseUrl}/console/w/${workspaceId}`, look);
      app.issuer.person = { sub };
      await visit.page.goto(
        `${app.baseUrl}/console/sign-in?returnTo=${encodeURIComponent(new URL(visit.address(path)).pathname)}`,
      );
      await settled(visit.page);
      return visit;
    },
    async stop() {
      await browser.close();
      await app.stop();
    },
  };
}

/** A tab with nobody signed in. @param workspaceUrl where `address` begins */
export async function openVisit(
  browser: Browser,
  workspaceUrl: string,
  { width = 1_280, height = 900, theme = 'light' }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  context.setDefaultTimeout(PAGE_DEADLINE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  const complain = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) complaints.push(text);
  };
  page.on('pageerror', (error) => complain(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complain(`${message.text()} (${message.location().url})`);
  });
  const address = (screen = '') => workspaceUrl + screen;
  return {
    page,
    context,
    address,
    complaints,
    expects: (pattern) => void expected.push(pattern),
    async open(screen) {
      await page.goto(address(screen));
      await settled(page);
    },
    close: () => context.close(),
  };
}

/** Waits for what is on the screen, or will be after a little scrolling; nothing farther down is read. */
const NEAR_IS_READ = `![...document.querySelectorAll('main :is(.skeleton, .loading)')]
  .some((room) => room.getBoundingClientRect().top < innerHeight + 300)`;

/** Waits until the screen is there with what it shows. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await eventually(
    'what is near is read',
    async () => (await page.evaluate(NEAR_IS_READ)) || undefined,
    PAGE_DEADLINE_MS,
    50,
  );
}

const OVERFLOW = `Math.max(...[document.documentElement, document.body, document.querySelector('main')].map((box) => box.scrollWidth - innerWidth))`;

/** Fails where something is to be scrolled sideways. Pictures follow the width of the window in the next frame. */
export async function expectFits(page: Page): Promise<void> {
  const what = `nothing is wider than the window at ${page.url()}`;
  await eventually(what, async () => (await page.evaluate<number>(OVERFLOW)) <= 0 || undefined, PAGE_DEADLINE_MS, 50);
}

const STILL = `new Promise((resolve, reject) => {
  // Not by frames: a tab behind another one draws none. What moves forever, such as the mark of loading, does not count.
  const moves = ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity;
  const until = Date.now() + 10_000;
  const look = () => {
    const moving = document.getAnimations().filter(moves);
    if (moving.length === 0) return resolve();
    if (Date.now() < until) return setTimeout(look, 20);
    const names = moving.map((one) => (one.animationName ?? one.transitionProperty) + ' of ' + one.effect.target?.outerHTML.slice(0, 80));
    reject(new Error('still moving after 10 s: ' + names.join(', ')));
  };
  setTimeout(look, 20);
})`;

/** Waits until nothing moves and no colour is on its way to another theme: on the way, contrast is that of neither. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(STILL);
}

/** The text of what has focus; '' where nothing has. */
export function focusedText(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement === document.body ? '' : document.activeElement.innerText.trim()`,
  );
}

/** Fails with what the tab complained of. */
export function expectNoComplaints({ complaints }: Visit): void {
  // Named in full, as a list is cut short in the message.
  expect(complaints, `complaints of the browser:\n${complaints.join('\n')}\n`).to.deep.equal([]);
}

/**
 * Reports one check of a monitor as an agent of the region does, now.
 * @param options.detail of a certificate or a name; the check is then of its kind, that of packets with `findings.ping`, default an HTTP check
 */
export async function fileCheck(
  app: TestApp,
  monitorId: string,
  outcome: Outcome,
  {
    region = 'northeurope',
    atMs = Date.now(),
    detail,
    evidence = null,
    findings = {},
  }: Partial<Pick<CheckResult, 'detail' | 'evidence'>> & {
    region?: Region;
    atMs?: number;
    findings?: CheckFindings;
  } = {},
): Promise<void> {
  const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
  const deps = { ...resultsDeps(app.db), clock: app.clock, partitions: app.plane.partitions };
  const result = {
    ...resultOf(key, atMs, outcome, findings.ping ? 'ping' : detail?.kind),
    answer: 'verified' as const,
    evidence,
    ...findings,
  };
  await ingestBatch(deps, agentIn(region), [detail ? { ...result, detail } : result]);
}

/** Builds the console unless its sources are those of the last build, and reads it. */
export async function buildConsole(): Promise<BuiltConsole> {
  await bundle();
  return readBuiltConsole(join(CONSOLE, 'dist'));
}

/** @returns the compressed bytes that are loaded: scripts of the first screen, of the largest, of all screens, and the style */
export async function readConsoleSizes(): Promise<{ firstScreen: number; screen: number; all: number; style: number }> {
  return (await bundle()).sizes;
}

async function bundle() {
  const bundler = (await import(pathToFileURL(join(CONSOLE, 'build.mjs')).href)) as {
    buildConsole(): Promise<{ sizes: Awaited<ReturnType<typeof readConsoleSizes>> }>;
  };
  return bundler.buildConsole();
}

/** @returns the paths of all screens below `/console/w/:workspaceId`, as `frame/routes.tsx` has them */
export function readScreenPaths(): string[] {
  const source = readFileSync(join(CONSOLE, 'src/frame/routes.tsx'), 'utf8');
  const [routes = ''] = /const ROUTES[^]*?\n\];/.exec(source) ?? [];
  return [...routes.matchAll(/\bpath: '([^']*)'/g)].map(([, path]) => path!);
}

/** @returns the ends of the addresses of all sections of the settings, as `settings-screen.tsx` has them, without the first, which has none */
export function readSettingsSections(): string[] {
  const source = readFileSync(join(CONSOLE, 'src/screens/settings/settings-screen.tsx'), 'utf8');
  return [...source.matchAll(/\{ name: '([^']+)', label: /g)].map(([, name]) => name!);
}
