import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { TestMember } from '../../support/app.js';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import { expectNoComplaints, settled, startConsole, type ConsoleStage, type Visit } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { create, seedMonitor } from '../../support/seed.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

const LOOKS = [
  ['light', 1_440],
  ['dark', 768],
  ['light', 320],
] as const;

describeInBrowser('on call and alerts in the console (Chromium)', function () {
  this.timeout(90_000);
  let stage: ConsoleStage;
  let visit: Visit;
  let page: Page;
  let receiver: WebhookReceiver;
  let ann: TestMember;
  let teamId: string;

  before(async () => {
    [stage, receiver] = await Promise.all([
      startConsole({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } }),
      startWebhookReceiver(),
    ]);
    const { api, owner } = stage.app;
    ann = await stage.app.member('Responder');
    teamId = (await create(api, '/api/v1/teams', { name: 'Platform' })).id;
    await create(api, `/api/v1/teams/${teamId}/members`, { userId: owner.userId, teamRole: 'lead' });
    await create(api, `/api/v1/teams/${teamId}/members`, { userId: ann.userId });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const rotation = { rotation: 'daily', startDate: tomorrow, participants: [owner.userId, ann.userId] };
    await create(api, `/api/v1/teams/${teamId}/schedule`, rotation, 'PUT');
    const { id: serviceGroupId } = await create(api, '/api/v1/service-group', { name: 'Shop' });
    await create(api, `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`, undefined, 'PUT');
    await seedMonitor(stage.app, { serviceGroupId });
    visit = await stage.visit(owner, { path: '/on-call' });
    page = visit.page;
  });
  after(async () => {
    await stage?.stop();
    await receiver?.stop();
  });

  const dialog = () => page.getByRole('dialog');
  const overridesOf = async () =>
    (await stage.app.api('GET', `/api/v1/teams/${teamId}/schedule`)).body.overrides as {
      userId: string;
      start: string;
      end: string;
    }[];
  async function isReadable(path: string, name: string): Promise<void> {
    await visit.open(path);
    for (const [colorScheme, width] of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await takePicture(page, `${name}-${width}-${colorScheme}`);
      expect(await accessibilityFaults(page), `${path}, ${colorScheme}, ${width} px`).to.deep.equal([]);
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(wider, `${path} at ${width} px`).to.be.at.most(0);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1_280, height: 900 });
  }

  it('shows a gap with what happens then', async () => {
    const gap = page.getByRole('status').filter({ hasText: 'nobody is on call' });
    expect(await gap.first().textContent()).to.include('An incident then pages the lead at once: The owner.');
  });

  it('makes an override by keyboard, and removes it', async () => {
    // A list of the next days, because the week may end today.
    await visit.open('/on-call?view=agenda');
    await page.keyboard.press('o');
    await dialog().waitFor();
    expect(await dialog().getByRole('heading').textContent()).to.equal('Add override');
    await dialog().getByLabel('Person').focus();
    await page.keyboard.type('The responder');
    await dialog().getByLabel('Reason').focus();
    await page.keyboard.type('Holiday');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    const [made] = await overridesOf();
    expect(made).to.include({ userId: ann.userId, reason: 'Holiday' });
    expect(Date.parse(made!.end) - Date.parse(made!.start)).to.equal(8 * 3_600_000);

    await page
      .getByRole('button', { name: /The responder.*override/ })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await dialog().getByText('Holiday').waitFor();
    await dialog().getByRole('button', { name: 'Remove the override' }).focus();
    await page.keyboard.press('Enter');
    await eventually(
      'the override is gone',
      async () => ((await overridesOf()).length === 0 ? true : undefined),
      15_000,
    );
  });

  it('asks for an override once, not again at each return to the calendar', async () => {
    await visit.open('/on-call');
    await page.getByRole('button', { name: 'Add override' }).click();
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const tabs = page.getByRole('navigation', { name: 'On call', exact: true });
    await tabs.getByRole('link', { name: /^Teams/ }).click();
    await page.locator('.oncall-tools').waitFor({ state: 'detached' });
    await tabs.getByRole('link', { name: 'Calendar' }).click();
    await page.locator('.oncall-foot').waitFor();
    expect(await dialog().count()).to.equal(0);
  });

  it('makes an override by dragging over a time', async () => {
    await visit.open(`/on-call?view=week&date=${new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10)}`);
    const track = (await page.locator('.oncall-track').first().boundingBox())!;
    const y = track.y + track.height / 2;
    await page.mouse.move(track.x + (track.width * 2.25) / 7, y);
    await page.mouse.down();
    await page.mouse.move(track.x + (track.width * 2.5) / 7, y, { steps: 4 });
    await page.mouse.move(track.x + (track.width * 2.75) / 7, y, { steps: 4 });
    await page.mouse.up();
    await dialog().waitFor();
    const text = await dialog().getByLabel('From').inputValue();
    expect(text).to.match(/T06:00$/);
    expect(await dialog().getByLabel('To', { exact: true }).inputValue()).to.equal(text.replace('T06', 'T18'));
    await dialog().getByRole('button', { name: 'Put on call' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await overridesOf()).to.have.length(1);
  });

  it('previews a rotation before it is saved', async () => {
    await visit.open(`/on-call?tab=teams&team=${teamId}`);
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog().getByRole('button', { name: 'Move The responder up' }).click();
    const preview = page.getByRole('region', { name: 'The next four weeks' });
    await preview.getByText('The responder').first().waitFor();
    const { body: before } = await stage.app.api('GET', `/api/v1/teams/${teamId}/schedule`);
    expect(before.participants).to.deep.equal([stage.app.owner.userId, ann.userId]);
    await takePicture(page, 'on-call-rotation');
    await dialog().getByRole('button', { name: 'Save the rotation' }).click();
    await dialog().waitFor({ state: 'detached' });
    const { body: after } = await stage.app.api('GET', `/api/v1/teams/${teamId}/schedule`);
    expect(after.participants).to.deep.equal([ann.userId, stage.app.owner.userId]);
  });

  it('makes a webhook channel, tests it with the real answer, and lists the delivery', async () => {
    receiver.next(answer(418));
    await visit.open('/alerts?channel=new&type=webhook');
    await page.getByLabel('Name', { exact: true }).fill('Hook');
    await page.getByLabel('URL').fill(`${receiver.url}/alerts`);
    await page.getByLabel('For which monitors').selectOption('these');
    await page.getByRole('button', { name: 'Create and send a test' }).click();
    expect(await dialog().getByLabel('Signing secret').inputValue()).to.match(/^whsec_/);
    await dialog().getByRole('button', { name: 'I have kept it' }).click();
    await page.getByText('The test did not arrive everywhere.').waitFor();
    expect(await page.locator('.alerts-answers').textContent()).to.include('418');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was delivered.').waitFor();
    expect(receiver.calls.map(({ path }) => path)).to.deep.equal(['/alerts', '/alerts']);

    const sample = page.locator('.alerts-message');
    await sample.getByText('"type": "incident.opened"').waitFor();
    await page.getByLabel('Event').selectOption('incident.resolved');
    await sample.getByText('"type": "incident.resolved"').waitFor();

    await visit.open('/alerts?tab=deliveries');
    await page.getByLabel('State').selectOption('failed');
    await page.waitForURL(/state=failed/);
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
    await eventually('only the failure is listed', async () => ((await rows.count()) === 1 ? true : undefined), 15_000);
    await rows.first().getByRole('button').click();
    await dialog().getByText('the last answered 418').waitFor();
  });

  it('lists a channel with its last delivery and failure, and what nobody would hear of', async () => {
    await seedMonitor(stage.app, { name: 'Unwatched' });
    await visit.open('/alerts');
    await page.getByText('Failed').waitFor();
    await visit.open('/alerts?tab=coverage');
    await page.getByText('Unwatched').waitFor();
  });

  describe('is readable from a phone to a wide screen, in both themes:', () => {
    let groups: { id: string }[];
    before(async () => {
      await create(stage.app.api, '/api/v1/action-groups/email', { name: 'Mail', recipients: ['ops@example.test'] });
      groups = (await stage.app.api('GET', '/api/v1/action-groups')).body as typeof groups;
    });
    for (const [name, pathOf] of [
      ['on-call', () => '/on-call'],
      ['on-call-month', () => '/on-call?view=month'],
      ['on-call-team', () => `/on-call?tab=teams&team=${teamId}`],
      ['on-call-teams', () => '/on-call?tab=teams'],
      ['alerts', () => '/alerts'],
      ['alerts-mail', () => `/alerts?channel=${groups[0]!.id}`],
      ['alerts-hook', () => `/alerts?channel=${groups[1]!.id}`],
      ['alerts-new', () => '/alerts?channel=new'],
      ['alerts-new-slack', () => '/alerts?channel=new&type=slack'],
      ['alerts-deliveries', () => '/alerts?tab=deliveries'],
      ['alerts-coverage', () => '/alerts?tab=coverage'],
    ] as const)
      it(name, async () => {
        await isReadable(pathOf(), name);
        expectNoComplaints(visit);
      });
  });
});
