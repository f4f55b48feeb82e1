import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app.js';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import { expectFits, expectNoComplaints, settled, startConsole, type Visit } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { startedForSuite } from '../../support/suite.js';

const SECTIONS = [
  '/settings',
  '/settings/members',
  '/settings/service-groups',
  '/settings/locations',
  '/settings/api-keys',
  '/settings/plan',
  '/settings/audit',
  '/settings/profile',
  '/settings/notifications',
  '/settings/sessions',
];

describeInBrowser('the settings in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole({ env: { ROLE_CLAIM: 'groups' } }));
  let visit: Visit;
  let page: Page;

  before(async () => {
    await stage.app.api('POST', '/api/v1/service-group', { name: 'Shop' });
    visit = await stage.visit(stage.app.owner, { path: '/settings' });
    page = visit.page;
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  const statusOf = async (path: string, token: string) =>
    (await fetch(stage.app.baseUrl + path, { headers: { authorization: `Bearer ${token}` } })).status;

  it('invite somebody, and let the link be copied', async () => {
    await visit.open('/settings/members');
    await button('Invite').click();
    const dialog = page.getByRole('dialog');
    visit.expects(/400 .*invitations/);
    await dialog.getByLabel('Email address').fill('not an address');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.locator('.field-faults').waitFor();
    await dialog.getByLabel('Email address').fill('ann@example.test');
    await dialog.getByRole('radio', { name: /^Editor/ }).check();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await button('Copy the link').click();
    await button('Copied').waitFor();
    const link = await clipboard();
    expect((await fetch(link)).status).to.equal(200);
    await button('Close').click();
    const row = page.getByRole('row', { name: /ann@example\.test/ });
    expect(await row.innerText()).to.include('Editor');
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await (await fetch(link)).text()).to.include('revoked');
  });

  it('make an API key that works until it is revoked', async () => {
    await visit.open('/settings/api-keys');
    await button('New key').first().click();
    await page.getByLabel('Name', { exact: true }).fill('Deployments');
    await button('Create the key').click();
    await button('Copy the key').click();
    await button('Copied').waitFor();
    const key = await clipboard();
    expect(key).to.match(/^wpk_[0-9A-Za-z]{12}_[0-9A-Za-z_-]{43}$/);
    expect(await statusOf('/api/v1/monitor', key)).to.equal(200);
    expect(await statusOf('/api/v1/action-groups', key), 'a scope that was not chosen').to.equal(403);
    await button('Close').click();
    await page.reload();
    await settled(page);
    expect(await page.locator('main').innerText(), 'after the reload').not.to.include(key);
    await button('Revoke').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('There is no API key yet').waitFor();
    await eventually(
      'the key is refused',
      async () => ((await statusOf('/api/v1/monitor', key)) === 401 ? true : undefined),
      30_000,
    );
  });

  it('show the change of another Admin in place of overwriting it', async () => {
    const { app } = stage;
    const [member, admin] = [await app.member('Responder'), await app.member('Admin')];
    const path = `/api/v1/workspaces/${app.owner.workspaceId}/members/${member.memberId}`;
    const roleNow = async () => (await app.api<{ role: string }>('GET', path)).body.role;
    await visit.open('/settings/members');
    await button('Change The responder').click();
    await page.getByRole('menuitem', { name: 'Change the role' }).click();
    await page.getByRole('radio', { name: /^Editor/ }).check();
    await admin.api('PATCH', path, { role: 'Viewer' });
    visit.expects(/412/);
    await button('Change the role').click();
    const conflict = page.getByRole('alert');
    await conflict.waitFor();
    expect(await conflict.getByRole('row', { name: /^Role/ }).innerText()).to.match(/Role\s+Editor\s+Viewer/);
    expect(await roleNow(), 'while the conflict is shown').to.equal('Viewer');
    await button('Keep mine').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await roleNow()).to.equal('Editor');
  });

  it('keep what is entered through a reload, and send it only once', async () => {
    await visit.open('/settings');
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Acme');
    await button('Save').click();
    await page.getByText('Saved.').waitFor();
    await page.locator('.rail').getByText('Acme').first().waitFor();
  });

  it('map values of a claim to roles, and remove them', async () => {
    const { app } = stage;
    const path = `/api/v1/workspaces/${app.owner.workspaceId}`;
    const mapped = async () =>
      (await app.api<{ settings: { roleMapping: object } }>('GET', path)).body.settings.roleMapping;
    await visit.open('/settings');
    const group = page.getByRole('group', { name: 'Roles by the claim groups' });
    await group.getByRole('button', { name: 'Add a value' }).click();
    await group.getByLabel('Name of value 1').fill('shop-on-call');
    await group.getByLabel('Value of value 1').selectOption('Responder');
    await group.getByRole('button', { name: 'Add a value' }).click();
    await group.getByLabel('Name of value 2').fill('staff');
    await button('Save').click();
    await page.getByText('Saved.').first().waitFor();
    expect(await mapped()).to.deep.equal({ 'shop-on-call': 'Responder', staff: 'Viewer' });
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.reload();
    await settled(page);
    const removed = await group.getByLabel('Name of value 1').inputValue();
    await group.getByRole('button', { name: 'Remove value 1' }).click();
    await button('Save').click();
    const left = await eventually(
      'the value is removed',
      async () => {
        const now = await mapped();
        return removed in now ? undefined : Object.keys(now);
      },
      30_000,
    );
    expect([removed, ...left]).to.have.members(['shop-on-call', 'staff']);
  });

  it('do not overwrite by a draft what somebody else saved meanwhile', async () => {
    const { app } = stage;
    await visit.open('/settings');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Acme Ltd');
    const admin = await app.member('Admin');
    await admin.api('PATCH', `/api/v1/workspaces/${app.owner.workspaceId}`, { name: 'Acme Inc' });
    await page.reload();
    await settled(page);
    expect(await name.inputValue()).to.equal('Acme Ltd');
    visit.expects(/412/);
    await button('Save').click();
    const row = page.getByRole('alert').getByRole('row', { name: /^Name/ });
    expect(await row.innerText()).to.match(/Name\s+Acme Ltd\s+Acme Inc/);
    // It is drawn with the click: who presses a key at once, does so in what is there then.
    await page.evaluate("addEventListener('click', () => (window.shown = document.querySelector('form input').value))");
    await button('Take theirs').click();
    expect(await page.evaluate('window.shown'), 'with the click').to.equal('Acme Inc');
    expect(await name.inputValue()).to.equal('Acme Inc');
  });

  it('confirm a phone number by the code that is sent to it', async () => {
    const { app } = stage;
    await app.setPlan('Starter');
    await visit.open('/settings/notifications');
    await page.getByLabel('Phone number').fill('+353 87 123 4567');
    await page.getByLabel('Notify me by SMS').check();
    await button('Save').click();
    await button('Send me a code').click();
    const code = page.getByLabel('Code from the text message');
    await code.waitFor();
    await code.fill(await sendCode(app));
    await button('Confirm').click();
    await page.getByText('+353871234567 is confirmed').waitFor();
    await app.setPlan('Enterprise');
  });

  it('end the session of another browser', async () => {
    const other = await stage.visit(stage.app.owner);
    await visit.open('/settings/sessions');
    await page
      .getByRole('row', { name: /Sign out/ })
      .getByRole('button', { name: 'Sign out' })
      .click();
    await page.getByRole('row', { name: /Sign out/ }).waitFor({ state: 'detached' });
    await other.page.reload();
    expect(new URL(other.page.url()).pathname, 'signed out').not.to.match(/^\/console\/w\/.*monitors/);
    await other.page
      .getByRole('link', { name: /sign in/i })
      .first()
      .waitFor();
    await other.close();
  });

  it('hide from a Viewer what would be refused, and explain it', async () => {
    const viewer = await stage.visit(await stage.app.member('Viewer'), { path: '/settings' });
    await viewer.page.getByText('Admins change these settings.').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Save' }).count()).to.equal(0);
    await viewer.open('/settings/members');
    expect(await viewer.page.getByRole('button', { name: /Invite|Change/ }).count()).to.equal(0);
    await viewer.open('/settings/audit');
    await viewer.page.getByText('Audit log: for Admins').waitFor();
    expectNoComplaints(viewer);
    await viewer.close();
  });

  it('list who changed what in sentences, with the console as the way', async () => {
    await visit.open('/settings/audit?targetType=member');
    const entry = page.getByRole('listitem').filter({ hasText: 'The owner changed the role of the member' });
    await entry.first().click();
    const text = await entry.first().innerText();
    expect(text).to.match(/console/);
    expect(text).to.match(/role\s+Viewer\s+Editor/);
    await page.getByLabel('What').selectOption('API key');
    await page.getByText('The owner revoked the API key Deployments').waitFor();
    expect(new URL(page.url()).searchParams.get('targetType')).to.equal('api_key');
  });

  it('offer to a Viewer what becomes allowed, without reloading', async () => {
    const member = await stage.app.member('Viewer');
    const viewer = await stage.visit(member, { path: '/settings' });
    await viewer.page.getByText('Admins change these settings.').waitFor();
    const path = `/api/v1/workspaces/${stage.app.owner.workspaceId}/members/${member.memberId}`;
    expect((await stage.app.api('PATCH', path, { role: 'Admin' })).status).to.equal(200);
    await viewer.page.getByRole('button', { name: 'Save' }).waitFor();
    await viewer.close();
  });

  it('create a workspace from the switcher, and delete it with its typed name', async () => {
    await page
      .getByRole('button', { name: /^Workspace/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'New workspace' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Skunkworks');
    await button('Create the workspace').click();
    await page.waitForURL((url) => !url.href.includes(stage.app.owner.workspaceId));
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await button('Delete').click();
    const confirm = button('Delete the workspace');
    expect(await confirm.getAttribute('aria-disabled')).to.equal('true');
    await page.getByRole('dialog').getByRole('textbox').fill('Skunkworks');
    await confirm.click();
    await page.waitForURL((url) => url.href.includes(stage.app.owner.workspaceId));
  });

  it('are readable on a phone in the dark, in every section', async () => {
    await page.setViewportSize({ width: 320, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const section of SECTIONS) {
      await visit.open(section);
      await expectFits(page);
      expect(await accessibilityFaults(page), section).to.deep.equal([]);
    }
    expectNoComplaints(visit);
  });
});

/** Sends the confirmation requests that are due. @returns the code of the newest */
async function sendCode(app: TestApp): Promise<string> {
  await app.sql('UPDATE alert_recipient SET ask_at = now()');
  await app.plane.periodicTasks.find(({ name }) => name === 'ask_recipients')!.run();
  return app.value<string>(
    `SELECT extra ->> 'code' AS code FROM delivery WHERE purpose = 'confirmation' ORDER BY seq DESC LIMIT 1`,
  );
}
