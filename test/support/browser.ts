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
const PICTURES = fileURLToPath(new URL('../browser/pictures/', import.meta.url));

/** @returns the path of Chromium; undefined if the machine has none */
export function findChromium(): string | undefined {
  return PROGRAMS.find((program) => {
    try {
      accessSync(program, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export function startBrowser(program: string): Promise<Browser> {
  return chromium.launch({ executablePath: program, args: ARGUMENTS });
}

/** Saves a picture of the document under test/dist/browser/pictures. @returns the file */
export async function takePicture(page: Page, name: string): Promise<string> {
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

/** @returns the faults that axe finds, one line each */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Evaluated by the debugger, because the content security policy of the document allows no script.
  await page.evaluate(source);
  const violations = await page.evaluate<Violation[]>(
    'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then((result) => result.violations)',
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(' ')})`);
}
