// npm run screenshots: makes the pictures in docs/images of the console and the public page, with the workspace of Acme.
import './bootstrap/node-version.mjs';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, EVERYTHING, ROOT } from './bootstrap/index.mjs';

/** All that happens in the pictures happens before this Wednesday afternoon, so that they change only with the product. */
const NOW_MS = Date.UTC(2026, 10, 18, 14, 32);
const IMAGES = join(ROOT, 'docs', 'images');
const MOST_BYTES = 200_000;
/** The best quality that fits is taken. */
const QUALITIES = [90, 80, 70, 55, 40];
const WIDE = { width: 1440, height: 900 };
/** Of documents that show what they are about only further down. */
const TALL = { width: 1440, height: 1200 };
const PHONE = { width: 390, height: 844 };
const THEMES = ['light', 'dark'];

await bootstrap(EVERYTHING);
const { openPlane } = await import('./acme/open-plane.mjs');
const { seedAcme } = await import('./acme/seed-acme.mjs');
const { publicPlace } = await import('./acme/monitors.mjs');
const { answerTests, NEW_URL } = await import('./acme/answer-tests.mjs');
const { channelMessages } = await import('./acme/channel-messages.mjs');
const { hasBrowser, startBrowser } = await import(
  pathToFileURL(join(ROOT, 'test', 'dist', 'support', 'browser.js')).href
);

if (!hasBrowser) {
  console.error('The pictures need Chromium, such as that of Debian: apt-get install chromium.');
  process.exit(1);
}
const only = process.argv.slice(2);
const dataDir = await mkdtemp(join(tmpdir(), 'watchpost-pictures-'));
let place, browser;
try {
  console.log('Playing a day of Acme …');
  place = await openPlane({ dataDir, env: { LOG_LEVEL: 'error' }, nowMs: NOW_MS });
  await seedAcme(place, { endMs: NOW_MS, placeOf: publicPlace, webhookUrl: 'https://bot.acme.example/watchpost' });
  browser = await startBrowser();
  const state = await signIn(place);
  await mkdir(IMAGES, { recursive: true });
  for (const { name, path, html, size = WIDE, prepare, ready } of await screensOf(place.api)) {
    if (only.length > 0 && !only.includes(name)) continue;
    for (const theme of THEMES)
      await takePicture({ state, name, theme, url: place.ownUrl + path, html, size, prepare, ready });
  }
} finally {
  await browser?.close();
  await place?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();

/** What is shown, and what happens on it first. */
async function screensOf(api) {
  const [workspace] = await api('GET', '/api/v1/workspaces');
  const monitors = await api('GET', '/api/v1/monitor?pageSize=100');
  const monitorId = monitors.find(({ name }) => name === 'Checkout').id;
  const incidents = await api('GET', '/api/v1/incident');
  const incidentId = incidents.find(({ monitorName }) => monitorName === 'Checkout').id;
  const [statusPage] = await api('GET', '/api/v1/status-page');
  const console = `/console/w/${workspace.id}`;
  return [
    { name: 'overview', path: console },
    { name: 'overview-phone', path: console, size: PHONE },
    { name: 'monitors', path: `${console}/monitors` },
    { name: 'monitor', path: `${console}/monitors/${monitorId}`, size: TALL },
    { name: 'incident', path: `${console}/incidents/${incidentId}`, size: TALL },
    {
      name: 'new-monitor',
      path: `${console}/monitors/new?url=${encodeURIComponent(NEW_URL)}`,
      size: TALL,
      prepare: (page) => answerTests(page, NOW_MS),
      ready: (page) => page.getByText(/^Answers 200 in/).waitFor(),
    },
    { name: 'on-call', path: `${console}/on-call` },
    { name: 'alerts', path: `${console}/alerts` },
    { name: 'new-channel', path: `${console}/alerts?channel=new`, size: TALL },
    { name: 'channel-messages', html: channelMessages(NOW_MS), size: { width: 760, height: 960 } },
    { name: 'status-page-editor', path: `${console}/status-pages/${statusPage.id}`, ready: frameIsDrawn },
    { name: 'reports', path: `${console}/reports?monitor=${monitorId}`, size: TALL, ready: frameIsDrawn },
    { name: 'status-page', path: '/status/acme', size: TALL },
  ];
}

/** Chromium draws frames such as these only while they are seen, and loads some of them only then. */
async function frameIsDrawn(page) {
  await page.locator('iframe').scrollIntoViewIfNeeded();
  await page.frameLocator('iframe').locator('h1').waitFor();
  await page.evaluate('scrollTo(0, 0)');
}

async function newPage({ state, theme = 'light', size = WIDE }) {
  const context = await browser.newContext({
    ...(state ? { storageState: state } : {}),
    viewport: size,
    deviceScaleFactor: 2,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Dublin',
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW_MS);
  return page;
}

/** Signs the demo account in as people do. @returns what the browser keeps of it */
async function signIn({ ownUrl, describe }) {
  const account = Object.fromEntries(describe().map((line) => line.split(': ')));
  const page = await newPage({});
  await page.goto(`${ownUrl}/console/sign-in`);
  await page.fill('#email', account['demo account']);
  await page.fill('#password', account.password);
  await page.click('button[value=sign-in]');
  await page.waitForURL('**/console/w/**');
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

async function takePicture({ state, name, theme, url, html, size, prepare, ready }) {
  const page = await newPage({ state, theme, size });
  await prepare?.(page);
  await (html === undefined ? page.goto(url) : page.setContent(html));
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('load');
  await page.locator('main .skeleton, main .loading').first().waitFor({ state: 'detached' });
  await ready?.(page);
  await page.waitForTimeout(300);
  const session = await page.context().newCDPSession(page);
  for (const quality of QUALITIES) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const picture = Buffer.from(data, 'base64');
    if (picture.length > MOST_BYTES && quality !== QUALITIES.at(-1)) continue;
    await writeFile(join(IMAGES, `${name}-${theme}.webp`), picture);
    console.log(`${name}-${theme}.webp  ${Math.round(picture.length / 1_000)} KB, quality ${quality}`);
    break;
  }
  await page.context().close();
}
