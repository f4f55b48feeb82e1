import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { TestUser } from '../../support/app.js';
import { describeInBrowser, startBrowser } from '../../support/browser.js';
import {
  buildConsole,
  expectNoComplaints,
  openVisit,
  settled,
  startConsole,
  type Visit,
} from '../../support/console.js';
import { FOREIGN_CLIENT, startForeignProvider, type ForeignProvider } from '../../support/foreign-provider.js';
import { startProduct, type Product } from '../../support/product.js';
import { makeWorld } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

describeInBrowser('accounts in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;

  afterEach(async () => {
    if (visit) expectNoComplaints(visit);
    await visit?.close();
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialogOf = (page: Page) => page.getByRole('dialog');
  async function visitAs(user: { sub: string; workspaceId: string }, path: string, workspaceId = user.workspaceId) {
    visit = await stage.visit(user, { workspaceId, path });
    return visit.page;
  }
  /** The names in the switcher of workspaces. */
  async function workspacesOf(page: Page): Promise<string[]> {
    const switcher = page.getByRole('button', { name: /^Workspace/ }).first();
    await switcher.click();
    const names = await page.getByRole('menuitem').or(page.getByRole('menuitemradio')).allInnerTexts();
    await page.keyboard.press('Escape');
    return names.map((name) => name.split('\n')[0]!.trim());
  }

  it('begins the trial of a greater plan, which holds at once', async () => {
    const user = await stage.app.user('tess');
    const page = await visitAs(user, '/settings/plan');
    await page.getByRole('heading', { name: 'Starter plan' }).waitFor();
    await button(page, 'Try Pro').click();
    const text = await dialogOf(page).innerText();
    expect(text).to.include('14 days');
    await button(page, 'Start the trial').click();
    await page.getByText(/^You are trying Pro until .*14 days left/).waitFor();
    await page.getByRole('heading', { name: 'Pro plan' }).waitFor();
    expect(await page.getByRole('button', { name: /^Try / }).count(), 'one trial').to.equal(0);
    expect((await user.api('GET', '/api/v1/user')).body.trial).to.include({ status: 'active', plan: 'Pro' });
  });

  it('hands a workspace over to another member, and leaves it', async () => {
    const world = await makeWorld(stage.app, 'Pro');
    const heir = await world.member('Admin');
    const page = await visitAs(world.owner, '/settings', world.workspaceId);
    await button(page, 'Transfer').click();
    const dialog = dialogOf(page);
    const confirm = dialog.getByRole('button', { name: 'Transfer the ownership' });
    expect(await confirm.getAttribute('aria-disabled')).to.equal('true');
    await dialog.getByRole('textbox').fill('Acme');
    await confirm.click();
    await page.getByText('You are an Admin now').waitFor();
    await button(page, 'Leave').waitFor();
    expect(await button(page, 'Transfer').count()).to.equal(0);

    const other = await stage.visit(heir, { workspaceId: world.workspaceId, path: '/settings' });
    await button(other.page, 'Transfer').waitFor();
    expectNoComplaints(other);
    await other.close();

    await button(page, 'Leave').click();
    await dialogOf(page).getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL((url) => url.pathname.startsWith(`/console/w/${world.owner.workspaceId}`));
    await settled(page);
    expect(await workspacesOf(page)).not.to.include('Acme');
    expect((await world.api('GET', '/api/v1/monitor')).status).to.be.within(400, 499);
  });

  it('hands a personal workspace over, and shows the new one at once', async () => {
    const { owner, heir, workspaceId } = await personalWithMember(stage.app.user('pia'));
    const page = await visitAs(owner, '/settings', workspaceId);
    const { body } = await owner.api('GET', `/api/v1/workspaces/${workspaceId}`);
    await button(page, 'Transfer').click();
    await dialogOf(page).getByRole('textbox').fill(body.name);
    await dialogOf(page).getByRole('button', { name: 'Transfer the ownership' }).click();
    await page.getByText('You are an Admin now').waitFor();
    expect(await workspacesOf(page)).to.have.members([`${body.name} Admin`, `${body.name} Owner`, 'New workspace']);
    expect((await heir.api('GET', `/api/v1/workspaces/${workspaceId}`)).body.role).to.equal('Owner');
  });

  it('deletes an account once its address is typed, but not while others belong to its workspace', async () => {
    const { owner, memberId, workspaceId } = await personalWithMember(stage.app.user('zoe'));
    const page = await visitAs(owner, '/settings/profile');
    await button(page, 'Delete').click();
    const dialog = dialogOf(page);
    const confirm = dialog.getByRole('button', { name: 'Delete my account' });
    await dialog.getByRole('textbox').fill('zoe');
    expect(await confirm.getAttribute('aria-disabled')).to.equal('true');
    await dialog.getByRole('textbox').fill(owner.email);
    visit.expects(/409|403/);
    await confirm.click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('alert').innerText()).to.include('has other members: transfer its ownership');
    await owner.api('DELETE', `/api/v1/workspaces/${workspaceId}/members/${memberId}`);
    // Another screen that the removed member changes may be read again when the account is gone.
    visit.expects(/401 .*\/api\/v1\/workspaces/);
    await confirm.click();
    await page.waitForURL(`${stage.app.baseUrl}/console`);
    expect(await stage.app.sql('SELECT id FROM user_account WHERE id = $1', [owner.userId])).to.deep.equal([]);
    await page.goto(visit.address());
    await page
      .getByRole('link', { name: /sign in/i })
      .first()
      .waitFor();
  });

  /** A user whose personal workspace has a second member. */
  async function personalWithMember(made: Promise<TestUser>) {
    const owner = await made;
    const heir = await stage.app.user(`${owner.sub}s-friend`);
    const id = await stage.app.value<string>(
      `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used)
       VALUES (gen_random_uuid(), $1, $2, 'Admin', now(), now()) RETURNING id`,
      [owner.workspaceId, heir.userId],
    );
    return { owner, heir, memberId: id, workspaceId: owner.workspaceId };
  }
});

describeInBrowser('a provider of another maker (Chromium)', () => {
  let provider: ForeignProvider;
  let product: Product;
  let browser: Browser;

  before(async () => {
    provider = await startForeignProvider();
    await buildConsole();
    [product, browser] = await Promise.all([
      startProduct({
        env: {
          OIDC_ISSUER: provider.issuer,
          OIDC_CONSOLE_CLIENT_ID: FOREIGN_CLIENT.id,
          OIDC_CONSOLE_CLIENT_SECRET: FOREIGN_CLIENT.secret,
        },
      }),
      startBrowser(),
    ]);
    provider.register(product.baseUrl);
  });
  after(async () => {
    await browser?.close();
    await product?.stop();
    await provider?.stop();
  });

  /** A browser that signs in as the provider's own pages ask. */
  async function signIn(login: string): Promise<Visit> {
    const visit = await openVisit(browser, `${product.baseUrl}/console`);
    const { page } = visit;
    // The library's pages have a web font, and the tests have no network.
    await visit.context.route('https://fonts.googleapis.com/**', (route) =>
      route.fulfill({ contentType: 'text/css', body: '' }),
    );
    await page.goto(product.baseUrl);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByPlaceholder('Enter any login').fill(login);
    await page.getByPlaceholder('and password').fill('anything');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(/\/console\/w\//);
    await settled(page);
    return visit;
  }

  it('signs a person in, with the name and the address that its userinfo has', async () => {
    const visit = await signIn('nora');
    await visit.open(`/w/${new URL(visit.page.url()).pathname.split('/')[3]}/settings/profile`);
    expect(await visit.page.getByLabel('Name', { exact: true }).inputValue()).to.equal('nora of Acme');
    await visit.page.getByText('nora@acme.example').waitFor();
    expect(provider.requests).to.include.members(['/.well-known/openid-configuration', '/jwks', '/token', '/me']);
    expectNoComplaints(visit);
    await visit.close();
  });

  it('signs out everywhere, at the provider too', async () => {
    const [first, second] = [await signIn('nora'), await signIn('nora')];
    const { page } = first;
    await page.goto(`${page.url()}/settings/sessions`);
    await settled(page);
    // Their streams of events end with the sessions; a page that is still there then asks once more.
    for (const visit of [first, second]) visit.expects(/401 .*\/api\/v1\/events\)/);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL(/^http:\/\/localhost/);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${product.baseUrl}/console`);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByPlaceholder('Enter any login').waitFor();
    second.expects(/401/);
    await second.page.reload();
    await second.page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expectNoComplaints(first);
    expectNoComplaints(second);
  });
});
