import { expect } from 'chai';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import {
  expectFits,
  expectNoComplaints,
  readScreenPaths,
  settled,
  startConsole,
  still,
  type Visit,
} from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { SAMPLES, screenSamples, seedSamples } from '../../support/console-samples.js';
import { startedForSuite } from '../../support/suite.js';

const WIDTHS = [320, 768, 1_440] as const;
/** What a theme changes; all other rules have the same result in both. */
const RULES_OF_THEMES = ['color-contrast'];

/** By how much the document, or what scrolls the screen, is wider than the window. */

/** By how much what is shown has moved since the page was loaded while nobody touched it (Layout Instability, W3C). */
const JUMPS = `new Promise((resolve) => {
  new PerformanceObserver((list, observer) => {
    observer.disconnect();
    resolve(list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput).map(({ value, sources }) => ({
      value,
      moved: sources[0]?.node?.outerHTML?.slice(0, 90) ?? '',
    })));
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve([]), 300);
})`;
const MOST_JUMPS = 0.05;

/** The addresses that the tabs of a screen, and the sections of the settings, lead to. */
const TABS = `[...document.querySelectorAll('main :is(.tabs, .settings-nav) a')].map(({ href }) => href)`;

/** What an address shows: tabs are views of their own, and of other parameters one value is as good as another. */
function viewsOf(address: string): string[] {
  const { pathname, searchParams } = new URL(address);
  const path = pathname.replaceAll(/[0-9a-f-]{36}/g, ':id');
  const chosen = [...searchParams].map(([name, value]) =>
    name === 'tab' ? `${path}?${name}=${value}` : `${path}?${name}`,
  );
  return [path, ...chosen];
}

describeInBrowser('every screen of the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  /** The ids of what an address names; a section of the settings is named by itself. */
  let ids: Record<string, string> = {};
  /** The views that were shown, and those that their tabs lead to. */
  const shown = new Set<string>();
  const linked = new Set<string>();

  before(async () => {
    ids = await seedSamples(stage.app);
    visit = await stage.visit(stage.app.owner);
    await visit.page.emulateMedia({ reducedMotion: 'reduce' });
  });

  /** Shows a theme, and waits until no colour is on its way to it. */
  async function look(colorScheme: 'light' | 'dark'): Promise<void> {
    await visit.page.emulateMedia({ colorScheme });
    await still(visit.page);
  }

  async function nearIsRead(): Promise<void> {
    const { page } = visit;
    await settled(page);
    // A theme that is set while a preview in a frame changes its process can be waited for without an end.
    for (const frame of page.frames()) await frame.waitForLoadState('load', { timeout: 15_000 });
  }

  /** Loads a screen, and fails where it moves by too much, twice: answers may come in an unlucky order once. */
  async function expectStill(address: string, width: number): Promise<void> {
    const { page } = visit;
    let jumps: { value: number; moved: string }[] = [];
    const sum = () => jumps.reduce((all, { value }) => all + value, 0);
    for (let loads = 0; loads < 2; loads++) {
      await page.goto(visit.address(address));
      await nearIsRead();
      jumps = await page.evaluate(JUMPS);
      if (sum() <= MOST_JUMPS) return;
    }
    expect(sum(), `${address} at ${width} px moves: ${JSON.stringify(jumps)}`).to.be.at.most(MOST_JUMPS);
  }

  for (const { name, addressOf } of screenSamples()) {
    it(`${name} is readable in both themes, from a phone to a wide screen, for everybody`, async () => {
      const address = addressOf(ids);
      const { page } = visit;
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        // Loaded anew where the layout differs.
        if (width !== 768) await expectStill(address, width);
        await nearIsRead();
        await look('light');
        await expectFits(page);
        expect(await accessibilityFaults(page), `${address}, light, ${width} px`).to.deep.equal([]);
        await look('dark');
        const dark = await accessibilityFaults(page, RULES_OF_THEMES);
        expect(dark, `${address}, dark, ${width} px`).to.deep.equal([]);
      }
      for (const view of viewsOf(page.url())) shown.add(view);
      for (const view of (await page.evaluate<string[]>(TABS)).flatMap(viewsOf)) linked.add(view);
      expectNoComplaints(visit);
    });
  }

  it('shows a sample of every route with a parameter, and of every tab', () => {
    expect(Object.keys(SAMPLES)).to.have.members(readScreenPaths().filter((path) => path.includes(':')));
    expect([...linked].filter((view) => !shown.has(view))).to.deep.equal([]);
  });

  it('has its heading in focus after a navigation, and a title of its own', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 1_440, height: 900 });
    await visit.open('/nowhere');
    const links = await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link').all();
    const titles = new Set([await page.title()]);
    for (const link of links) {
      await link.click();
      const href = await link.getAttribute('href');
      await page.waitForURL(({ pathname }) => pathname === href);
      await settled(page);
      const title = await eventually(
        `a title of its own at ${href}`,
        async () => {
          const shown = await page.title();
          return titles.has(shown) ? undefined : shown;
        },
        30_000,
        50,
      );
      titles.add(title);
      await page.locator('main h1:focus').waitFor();
    }
    expectNoComplaints(visit);
  });
});
