import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { settled, startConsole, type Visit } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

/** More than the connections that a browser makes to a server over HTTP/1.1. */
const TABS = 8;
/** Below the minute after which tabs read again without an event. */
const SOON_MS = 30_000;

describeInBrowser('several tabs of the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let monitorId: string;
  const tabs: Page[] = [];

  before(async () => {
    monitorId = (await seedMonitor(stage.app)).id;
    visit = await stage.visit(stage.app.owner, { path: '/monitors' });
    tabs.push(visit.page);
  });

  const open = async () => {
    const page = await visit.context.newPage();
    tabs.push(page);
    await page.goto(visit.address('/monitors'));
    await settled(page);
  };
  const streams = async () => (await stage.app.sql('SELECT FROM event_stream_lease')).length;
  const rename = (name: string) => stage.app.api('PUT', `/api/v1/monitor/${monitorId}`, { name });
  const show = (name: string) =>
    Promise.all(
      tabs.map((page) =>
        page
          .getByRole('link', { name: new RegExp(`^${name}`) })
          .first()
          .waitFor({ timeout: SOON_MS }),
      ),
    );

  it('share one stream, and all of them load and show a change', async () => {
    while (tabs.length < TABS) await open();
    await Promise.all(tabs.map((page) => page.getByText('Live', { exact: true }).first().waitFor()));
    expect(await streams()).to.equal(1);
    await rename('Renamed for all');
    await show('Renamed for all');
    expect(await streams()).to.equal(1);
  });

  it('go on with another tab when the one that holds the stream is closed, and miss no change', async () => {
    for (let turn = 0; turn < 3; turn++) {
      const closing = tabs.shift()!.close();
      await rename(`Renamed ${turn}`);
      await closing;
      await show(`Renamed ${turn}`);
      await eventually('one stream is left', async () => ((await streams()) === 1 ? true : undefined), SOON_MS);
    }
  });

  it('follow events in browsers whose streams have no iterator, such as Safari', async () => {
    const other = await stage.visit(await stage.app.member('Viewer'), { path: '/monitors' });
    await other.context.addInitScript('delete ReadableStream.prototype[Symbol.asyncIterator]');
    await other.open('/monitors');
    await other.page.getByText('Live', { exact: true }).first().waitFor();
    await rename('Renamed for Safari');
    await other.page
      .getByRole('link', { name: /^Renamed for Safari/ })
      .first()
      .waitFor({ timeout: SOON_MS });
    expect(await streams(), 'one for each of the two users').to.equal(2);
    await other.close();
  });

  it('have a stream for each workspace', async () => {
    const { body } = await stage.app.api<{ id: string }>('POST', '/api/v1/workspaces', { name: 'Second' });
    const page = await visit.context.newPage();
    await page.goto(`${stage.app.baseUrl}/console/w/${body.id}`);
    await settled(page);
    await eventually('both are followed', async () => ((await streams()) === 2 ? true : undefined), SOON_MS);
    await page.close();
    await eventually('one is left', async () => ((await streams()) === 1 ? true : undefined), SOON_MS);
  });
});
