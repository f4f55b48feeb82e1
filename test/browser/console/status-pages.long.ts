import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import { expectFits, expectNoComplaints, startConsole, still, type Visit } from '../../support/console.js';
import { seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

describeInBrowser('status pages in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let page: Page;

  before(async () => {
    for (const name of ['Shop', 'Blog']) await seedMonitor(stage.app, { name });
    visit = await stage.visit(stage.app.owner, { path: '/status-pages' });
    page = visit.page;
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const inPreview = () => page.frameLocator('iframe[title="Preview of Acme & Söhne"]');
  const visitors = () => fetch(`${stage.app.baseUrl}/status/acme-sohne`, { headers: { accept: 'text/html' } });
  async function expectSound(name: string): Promise<void> {
    for (const [colorScheme, width] of [
      ['dark', 320],
      ['dark', 1_440],
      ['light', 768],
      ['light', 1_280],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await still(page);
      await page.setViewportSize({ width, height: 900 });
      // At the end of the screen the strip of troubles, which floats above it, covers nothing.
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await expectFits(page);
      expect(await accessibilityFaults(page), `${name}, ${colorScheme}, ${width} px`).to.deep.equal([]);
      await takePicture(page, `console-${name}-${width}`);
    }
  }

  it('are made with a slug that follows from the name', async () => {
    await button('New status page').first().click();
    await page.getByLabel('Name', { exact: true }).fill('Acme & Söhne');
    await button('Create').click();
    await page.getByRole('heading', { level: 1, name: 'Acme & Söhne' }).waitFor();
    expect(await page.locator('.status-pages-lead').innerText()).to.include('/status/acme-sohne');
  });

  it('are not published while they show nothing', async () => {
    await page.getByText('Add a system to publish it.').waitFor();
    expect(await button('Publish').count()).to.equal(0);
    expect(await page.getByText('Unknown', { exact: true }).count()).to.equal(0);
    const { body } = await stage.app.api<{ isPublished: boolean }[]>('GET', '/api/v1/status-page');
    expect(body.map(({ isPublished }) => isPublished)).to.deep.equal([false]);
  });

  it('are given systems and ordered by keyboard, beside the page as it is saved', async () => {
    await button('Add systems').click();
    await button('Add Shop').click();
    await button('Add Blog').click();
    await button('Done').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.value');
    expect(await focused()).to.equal('Add systems');
    await page.getByLabel('Name of Blog').focus();
    expect(await focused()).to.equal('Blog');
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByRole('status').filter({ hasText: 'Blog is 1 of 2 in Services' }).waitFor({ state: 'attached' });
    const names = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('.status-pages-system .status-pages-row input')].map(({ value }) => value)`,
      );
    expect(await names()).to.deep.equal(['Blog', 'Shop']);
    await button('Move Blog down').press('Enter');
    expect(await names()).to.deep.equal(['Shop', 'Blog']);
    await button('Move Blog up').press('Enter');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).to.equal('Move Blog up');
    await button('Save').click();
    await inPreview().getByRole('heading', { name: 'Shop' }).waitFor();
    expect(await inPreview().locator('h3').allInnerTexts()).to.deep.equal(['Blog', 'Shop']);
    await expectSound('status-page-editor');
    expect((await visitors()).status, 'nobody else sees it yet').to.equal(404);
  });

  it('keep what is being edited through a reload and signing in again', async () => {
    await page.getByLabel('Description').fill('How we are doing.');
    const address = page.url();
    await visit.context.clearCookies();
    await page.goto(`${stage.app.baseUrl}/console/sign-in?returnTo=${encodeURIComponent(new URL(address).pathname)}`);
    await page.getByLabel('Description').waitFor();
    expect(await page.getByLabel('Description').inputValue()).to.equal('How we are doing.');
    await button('Save').click();
    await button('Saved').waitFor();
  });

  it('are published, and show a post to visitors at once', async () => {
    await button('Publish').click();
    await page.getByRole('link', { name: 'Open' }).waitFor();
    expect((await visitors()).status).to.equal(200);
    await page.getByRole('navigation', { name: 'Parts of the status page' }).getByText('Posts').click();
    await button('New post').first().click();
    await page.getByLabel('Title').fill('Payments are slow');
    await page.getByLabel('Text').fill('We are **looking** into it.');
    await page.getByRole('region', { name: 'Preview' }).getByRole('strong').getByText('looking').waitFor();
    await page.getByRole('checkbox', { name: 'Shop' }).check();
    await button('Post').click();
    await page.getByRole('heading', { name: 'Payments are slow' }).waitFor();
    expect(await (await visitors()).text())
      .to.include('Payments are slow')
      .and.include('<strong>looking</strong>');
    await button('Update').click();
    await page.getByLabel('State').selectOption('resolved');
    await page.getByLabel('What is new').fill('It is repaired.');
    await page.getByRole('dialog').getByRole('button', { name: 'Update' }).click();
    await page.getByText('It is repaired.').waitFor();
    await expectSound('status-page-posts');
  });

  it('take an update of a post that names a system that is gone, beside what another person changed', async () => {
    const { api } = stage.app;
    interface Shown {
      id: string;
      groups: { name: string; systems: { id: string; name: string }[] }[];
    }
    const [shown] = (await api<Shown[]>('GET', '/api/v1/status-page')).body;
    const path = `/api/v1/status-page/${shown!.id}`;
    const { groups } = (await api<Shown>('GET', path)).body;
    const blog = groups[0]!.systems.find(({ name }) => name === 'Blog')!;
    const posts = `${path}/incidents`;
    const post = { title: 'Articles are slow', body: 'We look.', systemIds: [blog.id] };
    const { id } = (await api<{ id: string }>('POST', posts, post)).body;
    const left = groups.map((group) => ({ ...group, systems: group.systems.filter((each) => each !== blog) }));
    expect((await api('PUT', path, { groups: left })).status).to.equal(200);
    await page.reload();
    const open = () => page.locator(`[data-row="${id}"]`).getByRole('button', { name: 'Update' }).click();
    const update = () => page.getByRole('dialog').getByRole('button', { name: 'Update' }).click();
    await open();
    await page.getByLabel('What is new').fill('The cause is found.');
    await api('PATCH', `${posts}/${id}`, { title: 'Articles do not load' });
    visit.expects(/412/);
    await update();
    await button('Save again').waitFor();
    // However long the post takes to be read again, it can be updated again at once.
    await page.route(`**${posts}/${id}`, (route) =>
      route.request().method() === 'GET' ? undefined : route.continue(),
    );
    await button('Save again').click();
    await page.locator(`[data-row="${id}"]`).getByText('The cause is found.').waitFor();
    await open();
    await page.getByRole('checkbox', { name: 'A system that is no longer shown' }).uncheck();
    await update();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    const { body } = await api<object>('GET', `${posts}/${id}`);
    expect(body).to.deep.include({ title: 'Articles do not load', status: 'investigating', systemIds: [] });
  });

  it('show what another person saved meanwhile, and keep the own edits', async () => {
    await page.getByRole('navigation', { name: 'Parts of the status page' }).getByText('Page').click();
    await page.getByLabel('Description').fill('Mine');
    const [first] = (await stage.app.api<{ id: string }[]>('GET', '/api/v1/status-page')).body;
    const path = `/api/v1/status-page/${first!.id}`;
    await stage.app.api('PUT', path, { description: 'Theirs', theme: 'dark' });
    visit.expects(/412/);
    await button('Save').click();
    await page.getByRole('row', { name: /description Mine Theirs/ }).waitFor();
    await button('Keep mine').click();
    await button('Saved').waitFor();
    const { body } = await stage.app.api<object>('GET', path);
    expect(body).to.include({ description: 'Mine', theme: 'dark' });
  });

  it('have snippets to copy, and are taken back by unpublishing', async () => {
    await page.getByRole('navigation', { name: 'Parts of the status page' }).getByText('Share').click();
    await page.getByText(/badge\.svg\)\]\(/).waitFor();
    await expectSound('status-page-share');
    await button('More').click();
    await page.getByRole('menuitem', { name: 'Unpublish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
    await button('Publish').waitFor();
    expect((await visitors()).status).to.equal(404);
    await visit.open('/status-pages');
    await page.getByText('Draft').waitFor();
    await expectSound('status-pages');
  });

  it('stand beside reports, which are scheduled in one table and shown at once', async () => {
    await visit.open('/reports');
    await page.getByRole('switch', { name: 'Weekly report of Shop' }).click();
    await page.getByText('Weekly report of Shop: on').waitFor();
    const { body } = await stage.app.api<{ monitorName: string; next: { weekly: string | null } }[]>(
      'GET',
      '/api/v1/report-schedules?scheduled=true',
    );
    expect(body.map(({ monitorName }) => monitorName)).to.deep.equal(['Shop']);
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.frameLocator('iframe[title="Report of Shop"]').getByRole('heading').first().waitFor();
    await expectSound('reports');
    expectNoComplaints(visit);
  });
});
