import { accessSync, constants, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Chromium must not search for updates or make other calls, because the tests have no network. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const PICTURES = fileURLToPath(new URL('../browser/pictures/', import.meta.url));

const PROGRAM = PROGRAMS.find((program) => {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

export const hasBrowser = PROGRAM !== undefined;

/** A suite that needs Chromium. Where there is none it is skipped, and reported as skipped. */
export function describeInBrowser(title: string, define: (this: Mocha.Suite) => void): void {
  if (hasBrowser) describe(title, define);
  else describe.skip(title, define);
}

const isSlow = process.env.WATCHPOST_TEST_SLOW === '1';
/** A page has so long for what is waited for. */
export const PAGE_DEADLINE_MS = isSlow ? 60_000 : 15_000;

/** Only where `hasBrowser`. With `WATCHPOST_TEST_SLOW=1` it has a slow connection and processor: see `slowDown`. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: PROGRAM!, args: ARGUMENTS });
  if (!isSlow) return browser;
  const newContext = browser.newContext.bind(browser);
  return Object.assign(browser, {
    newContext: (...options: Parameters<typeof newContext>) => newContext(...options).then(slowDown),
  });
}

const [LEAST_DELAY_MS, MOST_DELAY_MS] = [300, 1_500];
/** So many times longer scripts and drawing take. */
const THROTTLING_RATE = 4;

/**
 * Delays each request to the API by a time of its own, so that answers also come in another order: what a test, or the
 * console, does before it has read what that needs, fails then. The processor of each page is slow too: keys and clicks come
 * before effects of what was drawn, and a test looks before the page has answered.
 */
async function slowDown(context: BrowserContext): Promise<BrowserContext> {
  await context.route('**/api/v1/**', async (route) => {
    await setTimeout(LEAST_DELAY_MS + Math.random() * (MOST_DELAY_MS - LEAST_DELAY_MS));
    // The page may have gone meanwhile.
    await route.continue().catch(() => {});
  });
  context.on('page', (page) => {
    const slow = context
      .newCDPSession(page)
      .then((session) => session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING_RATE }));
    slow.catch(() => {});
  });
  return context;
}

/**
 * Saves a picture of the document under test/dist/browser/pictures.
 * Its frames are brought into view first: Chromium loads some of them only there, and draws none of another origin elsewhere,
 * so that they would be blank in the picture.
 * @returns the file
 */
export async function takePicture(page: Page, name: string): Promise<string> {
  for (const frame of await page.locator('iframe').all()) {
    await frame.scrollIntoViewIfNeeded();
    await frame.contentFrame().locator('body > :not(.unseen)').first().waitFor();
    // Until it is drawn, of which no event informs.
    await page.waitForTimeout(100);
  }
  mkdirSync(PICTURES, { recursive: true });
  const file = join(PICTURES, `${name}.png`);
  await page.screenshot({ path: file, fullPage: true });
  return file;
}

interface Violation {
  id: string;
  help: string;
  nodes: { html: string }[];
}

const TRANSITIONS_END = `Promise.all(
  document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    .map(({ finished }) => finished.catch(() => {})))`;

/** Texts that are smaller than 12 px as they are seen, or in another size or weight than those of the design tokens. */
const TYPE_FAULTS = `[...new Set([...document.body.querySelectorAll('*')].flatMap((element) => {
  const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  if (!(hasText || element.matches('input, select, textarea')) || !element.checkVisibility()) return [];
  const { fontSize, fontWeight } = getComputedStyle(element);
  const size = parseFloat(fontSize);
  const seen = element instanceof SVGElement ? size * element.getScreenCTM().d : size;
  const isFine = [13, 14, 16, 20, 28].includes(size) && ['400', '600'].includes(fontWeight) && seen > 11.99;
  return isFine ? [] : ['type scale: ' + [fontSize, fontWeight, seen, element.outerHTML.slice(0, 90)].join(' ')];
}))]`;

/**
 * @param rules only these rules; default: all of WCAG 2.2 AA, best practices, and the sizes and weights of text
 * @returns the faults that axe finds, one line each
 */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the debugger, because the content security policy of the document allows no script.
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  }
  // The strip and the bars of the console lie over whatever is scrolled behind them.
  await page.evaluate(
    `document.querySelectorAll('.strip, .topbar, .bottombar').forEach(({ style }) => style.setProperty('position', 'static'))`,
  );
  // A colour on its way to another one has a contrast of its own.
  await page.evaluate(TRANSITIONS_END);
  const options = { runOnly: rules ?? TAGS, resultTypes: ['violations'] };
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(options)}).then((result) => result.violations)`,
  );
  const faults = violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(' ')})`);
  return rules === undefined ? [...faults, ...(await page.evaluate<string[]>(TYPE_FAULTS))] : faults;
}
