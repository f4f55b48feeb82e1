import { accessSync, constants, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

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

/** Only where `hasBrowser`. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM!, args: ARGUMENTS });
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
    await frame.contentFrame().locator('body > *').first().waitFor();
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

/**
 * @param rules only these rules; default: all of WCAG 2.2 AA, and best practices
 * @returns the faults that axe finds, one line each
 */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the debugger, because the content security policy of the document allows no script.
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  }
  // A colour on its way to another one has a contrast of its own.
  await page.evaluate(TRANSITIONS_END);
  const options = { runOnly: rules ?? TAGS, resultTypes: ['violations'] };
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(options)}).then((result) => result.violations)`,
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(' ')})`);
}
