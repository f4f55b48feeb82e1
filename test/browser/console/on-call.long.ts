import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { newId } from '@watchpost/shared/id';
import type { TestMember } from '../../support/app.js';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import {
  expectFits,
  expectNoComplaints,
  settled,
  startConsole,
  type ConsoleStage,
  type Visit,
} from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { create, seedIncident, seedMonitor } from '../../support/seed.js';
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
    // What the API refuses is shown.
    visit.expects(/status of (400|409).*\/(schedules|escalation-policies)/);
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
      // So high that nothing is under the strip at the bottom.
      await page.setViewportSize({ width, height: 3_000 });
      await settled(page);
      await takePicture(page, `${name}-${width}-${colorScheme}`);
      expect(await accessibilityFaults(page), `${path}, ${colorScheme}, ${width} px`).to.deep.equal([]);
      await expectFits(page);
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
    await eventually('the override is gone', async () => ((await overridesOf()).length === 0 ? true : undefined));
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
    expect(text).to.match(/, 06:00$/);
    expect(await dialog().getByLabel('To', { exact: true }).inputValue()).to.equal(text.replace('06:00', '18:00'));
    await dialog().getByRole('button', { name: 'Put on call' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await overridesOf()).to.have.length(1);
  });

  it('moves the end of a shift by keyboard and by dragging', async () => {
    const { body: schedules } = await stage.app.api('GET', `/api/v1/teams/${teamId}/schedules`);
    const day = new Date(Date.now() + 21 * 86_400_000).toISOString().slice(0, 10);
    await visit.open(`/on-call?tab=teams&team=${teamId}&schedule=${schedules[0].id}&view=week&date=${day}`);
    const shifts = page.locator('.oncall-shift');
    await shifts.nth(1).waitFor();
    await shifts.nth(1).focus();
    for (let times = 0; times < 3; times++) await page.keyboard.press('Shift+ArrowRight');
    await page.getByRole('status').filter({ hasText: 'until 10:30' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    const person = await dialog().getByLabel('Person').locator('option:checked').textContent();
    expect(await shifts.nth(1).textContent()).to.include(person);
    const from = await dialog().getByLabel('From').inputValue();
    expect(await dialog().getByLabel('To', { exact: true }).inputValue()).to.equal(from.replace('09:00', '10:30'));
    await dialog().getByRole('button', { name: 'Put on call' }).click();
    await dialog().waitFor({ state: 'detached' });
    await eventually('the override is there', async () => ((await overridesOf()).length === 2 ? true : undefined));

    await page.locator('.oncall-override').waitFor();
    const edge = (await page.locator('.oncall-place').nth(3).locator('.oncall-edge').boundingBox())!;
    const other = await shifts.nth(4).textContent();
    await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2);
    await page.mouse.down();
    await page.mouse.move(edge.x - 20, edge.y + edge.height / 2, { steps: 4 });
    await page.mouse.up();
    await dialog().waitFor();
    expect(other).to.include(await dialog().getByLabel('Person').locator('option:checked').textContent());
    await page.keyboard.press('Escape');
  });

  it('follows a schedule of layers with its shifts as it is edited, and shows faults beside their fields', async () => {
    const { owner } = stage.app;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    await visit.open(`/on-call?tab=teams&team=${teamId}`);
    await page.getByRole('link', { name: 'New schedule' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Second line');
    await page.getByLabel('Time zone').fill('UTC');
    await page.getByRole('button', { name: 'Add a layer' }).click();
    await page.getByLabel('Layer', { exact: true }).nth(1).fill('Nights');
    await page.getByLabel('Add a time to Nights').selectOption('Nights');
    await page.getByRole('button', { name: 'The owner takes no turns in Nights' }).click();
    const shifts = page.getByRole('region', { name: 'Shifts' });
    await shifts
      .getByRole('button', { name: /^Platform: The responder, .* 22:00 – .* 06:00, 8 h$/ })
      .first()
      .waitFor();
    await takePicture(page, 'on-call-schedule-new');

    const ends = page.getByLabel('Ends', { exact: true });
    await page.getByLabel('On holidays').nth(1).selectOption('not in force');
    const calendar = page.getByLabel('Calendar of holidays');
    receiver.next(answer(404));
    await calendar.fill(`${receiver.url}/holidays.ics`);
    for (const end of await ends.all()) await end.fill('2020-01-01');
    const faultAt = (control: Locator) => page.locator('.field', { has: control }).locator('.field-faults');
    await faultAt(ends).getByText('must be after the start').nth(1).waitFor();
    await faultAt(calendar).getByText('the server answered 404').waitFor();
    await shifts.getByText('Mend the marked fields.').waitFor();
    for (const end of await ends.all()) await end.fill('');
    receiver.next(
      answer(
        200,
        {},
        `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:${tomorrow}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
      ),
    );
    await calendar.fill(`${receiver.url}/right.ics`);
    await faultAt(calendar).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Make the schedule' }).click();
    await page.getByText('Second line is made.').waitFor();
    const { body: schedules } = await stage.app.api('GET', `/api/v1/teams/${teamId}/schedules`);
    expect(schedules).to.have.length(2);
    const [, made] = schedules;
    expect(made.layers.map(({ name }: { name: string }) => name)).to.deep.equal(['Layer 1', 'Nights']);
    expect(made.layers[1]).to.deep.include({ participants: [ann.userId], holidays: 'skip' });
    expect(made.holidayCalendar.days).to.have.length(1);
    await page.getByText(/^1 day, read /).waitFor();
    expect(made.layers[1].restrictions).to.have.length(1);

    await page.getByRole('button', { name: 'Move The responder in Layer 1 up' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save the schedule' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Second line is saved.').waitFor();
    const { body: after } = await stage.app.api('GET', `/api/v1/teams/${teamId}/schedules/${made.id}`);
    expect(after.layers[0].participants).to.deep.equal([ann.userId, owner.userId]);
  });

  it('asks before nobody can be paged, and leads to what is to mend', async () => {
    const { api, owner } = stage.app;
    const teams = await create(api, '/api/v1/teams', { name: 'Quiet' });
    const own = `/api/v1/workspaces/${owner.workspaceId}/members/me`;
    const { body: me } = await api('GET', own);
    await create(api, `/api/v1/teams/${teams.id}/members`, { userId: owner.userId, teamRole: 'lead' });
    const preferences = (email: boolean) =>
      api('PATCH', own, { notificationPreferences: { ...me.notificationPreferences, email } });
    await preferences(false);
    await visit.open(`/on-call?tab=teams&team=${teams.id}&schedule=new`);
    await page.getByRole('button', { name: 'Make the schedule' }).click();
    await page.getByText('cannot be paged by any channel').first().waitFor();
    await page.getByLabel('Save it even if nobody can be paged').check();
    await page.getByRole('button', { name: 'Make the schedule' }).click();
    const mend = page.getByRole('list', { name: 'To mend' });
    await mend.getByText('The owner cannot be paged by any channel').waitFor();
    const steps = [{ after: 'PT0S', targets: [{ type: 'leads' }] }];
    await create(api, `/api/v1/teams/${teams.id}/escalation-policies`, { name: 'Nights', steps });
    await page.reload();
    await mend.getByText('The policy Nights pages 1 target by which nobody is reached').waitFor();
    await mend.getByRole('link', { name: 'See which, and choose others' }).click();
    await page.locator('.field-faults').getByText('has no lead who can be paged').waitFor();
    await page.goBack();
    await mend.getByRole('link', { name: 'Choose how you are notified' }).click();
    await page.waitForURL(/settings\/notifications/);
    await preferences(true);
    await api('DELETE', `/api/v1/teams/${teams.id}`);
  });

  it('asks again before the only one on call is suspended or removed, or leaves', async () => {
    const { api, owner, member } = stage.app;
    const [editor, admin] = [await member('Editor'), await member('Admin')];
    const { id } = await create(api, '/api/v1/teams', { name: 'Lone' });
    for (const { userId } of [editor, admin]) {
      await create(api, `/api/v1/teams/${id}/members`, { userId });
      const layer = { name: 'Days', rotation: { unit: 'day' }, participants: [userId] };
      await create(api, `/api/v1/teams/${id}/schedules`, { name: 'Days', layers: [layer] });
    }
    const members = `/api/v1/workspaces/${owner.workspaceId}/members`;
    const stateOf = async ({ memberId }: TestMember) => (await api('GET', `${members}/${memberId}`)).body.status;
    const confirm = async (of: Page, verb: string) => {
      for (const name of [verb, `${verb} anyway`])
        await of.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    };
    visit.expects(/status of 409.*members/);
    await visit.open('/settings/members');
    const row = page.getByRole('row', { name: /The editor/ });
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Change The editor' }).click();
      await page.getByRole('menuitem', { name }).click();
      await confirm(page, name);
    };
    await choose('Suspend');
    await row.getByText('Suspended').waitFor();
    expect(await stateOf(editor)).to.equal('suspended');
    await api('PATCH', `${members}/${editor.memberId}`, { status: 'active' });
    await page.reload();
    await choose('Remove');
    await row.waitFor({ state: 'detached' });
    expect((await api('GET', `${members}/${editor.memberId}`)).status).to.equal(404);

    const own = await stage.visit(admin, { path: '/settings' });
    own.expects(/status of 409.*members/);
    await own.page.getByRole('button', { name: 'Leave', exact: true }).click();
    await confirm(own.page, 'Leave');
    const isGone = async () => ((await api('GET', `${members}/${admin.memberId}`)).status === 404 ? true : undefined);
    await eventually('the Admin is gone', isGone);
    await own.close();
    await api('DELETE', `/api/v1/teams/${id}`);
  });

  it('asks one person to take a shift, who takes it, and shows the hours of the month', async () => {
    const { api } = stage.app;
    const { body: schedules } = await api('GET', `/api/v1/teams/${teamId}/schedules`);
    const path = `/on-call?tab=teams&team=${teamId}&schedule=${schedules[1].id}`;
    await visit.open(path);
    await page.getByRole('button', { name: 'Ask for my next shift' }).click();
    await dialog().getByLabel('Who is asked').selectOption({ label: 'The responder' });
    await dialog().getByRole('button', { name: 'Ask', exact: true }).click();
    const swaps = page.getByRole('list', { name: 'Swaps' });
    await swaps.getByText('The owner asks The responder to take').waitFor();
    await swaps.getByRole('button', { name: 'Withdraw' }).waitFor();

    const other = await stage.visit(ann, { path, width: 390 });
    await other.open(path);
    await other.page.getByRole('button', { name: 'Take the shift' }).focus();
    await other.page.keyboard.press('Enter');
    await other.page.getByText('The responder took it').waitFor();
    await takePicture(other.page, 'on-call-schedule-phone');
    expect(await accessibilityFaults(other.page)).to.deep.equal([]);
    expectNoComplaints(other);
    await other.close();
    const { body: after } = await api('GET', `/api/v1/teams/${teamId}/schedules/${schedules[1].id}`);
    expect(after.overrides).to.have.length(1);

    await page.getByRole('list', { name: 'Hours by person' }).getByText('The owner').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).to.match(/^on-call-\d{4}-\d{2}\.csv$/);
  });

  it('copies the built-in policy, and shows who would be paged when while it is edited', async () => {
    await visit.open(`/on-call?tab=teams&team=${teamId}`);
    await page.getByRole('heading', { name: 'If a monitor went down now' }).waitFor();
    await page.getByRole('link', { name: 'Built-in' }).click();
    await page.getByText('Copy it to change it.').waitFor();
    const pages = page.getByRole('list', { name: 'Pages' }).getByRole('listitem');
    expect(await pages.count()).to.equal(3);
    await page.getByRole('link', { name: 'Copy' }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Nights');
    await page.getByLabel(/^Degraded/).uncheck();
    await page.getByLabel('Add whom step 1 pages').selectOption({ label: 'The responder' });
    await pages.first().getByText('The responder').waitFor();
    await page.getByLabel('Repeat all steps').fill('1');
    await pages.nth(5).getByText('The leads of Platform').waitFor();
    await pages.nth(5).getByText('50 min').waitFor();
    await pages.nth(5).getByText('The owner').waitFor();

    const after = page.getByLabel('After the step before', { exact: true }).first();
    await after.fill('2000');
    await page.getByRole('button', { name: 'Make the policy' }).click();
    await page.locator('.field', { has: after }).locator('.field-faults').waitFor();
    await after.fill('15');
    await page.getByRole('button', { name: 'Make the policy' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Nights is made.').waitFor();
    const { body: policies } = await stage.app.api('GET', `/api/v1/teams/${teamId}/escalation-policies`);
    expect(policies[0]).to.deep.include({ name: 'Nights', severities: ['down', 'partial'], repeat: 1 });
    expect(policies[0].steps[0].targets).to.deep.equal([{ type: 'onCall' }, { type: 'user', id: ann.userId }]);

    await page.getByRole('button', { name: 'Move step 3 up' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText('Nights is saved.').waitFor();
    const { body: changed } = await stage.app.api('GET', `/api/v1/teams/${teamId}/escalation-policies`);
    expect(changed[0].steps[1].targets).to.deep.equal([{ type: 'leads' }]);
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
    expect(receiver.calls.map(({ path }) => path).slice(-2)).to.deep.equal(['/alerts', '/alerts']);

    const sample = page.locator('.alerts-message');
    await sample.getByText('"type": "incident.opened"').waitFor();
    await page.getByLabel('Event').selectOption('incident.resolved');
    await sample.getByText('"type": "incident.resolved"').waitFor();

    await visit.open('/alerts?tab=deliveries');
    await page.getByLabel('State').selectOption('failed');
    await page.waitForURL(/state=failed/);
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
    await eventually('only the failure is listed', async () => ((await rows.count()) === 1 ? true : undefined));
    await rows.first().getByRole('button').click();
    await dialog().getByText('the last answered 418').waitFor();
  });

  it('lists deliveries with the monitor that they are about, which leads to the incident', async () => {
    const { app } = stage;
    const { id } = await seedMonitor(app, { name: 'Lamps' });
    const incidentId = await seedIncident({ app, workspaceId: app.owner.workspaceId }, id);
    const [eventId, at] = [newId(app.clock.now()), new Date(app.clock.now())];
    await app.sql(
      `INSERT INTO alert_event (id, workspace_id, incident_id, type, at, subject, fanned_out)
       VALUES ($1, $2, $3, 'incident.opened', $4, $5, true)`,
      [eventId, app.owner.workspaceId, incidentId, at, { monitor: { id, name: 'Lamps' } }],
    );
    await app.sql(
      `INSERT INTO delivery (id, workspace_id, event_id, channel, address, lane, purpose, state, created, finished_at)
       VALUES ($1, $2, $3, 'email', 'lamps@example.test', 'lane', 'alert', 'delivered', $4, $4)`,
      [newId(app.clock.now()), app.owner.workspaceId, eventId, at],
    );
    await visit.open(`/alerts?tab=deliveries&incidentId=${incidentId}`);
    for (const name of ['From', 'To']) await page.getByRole('group', { name: 'When' }).getByLabel(name).waitFor();
    await page
      .getByRole('row', { name: /lamps@example\.test/ })
      .getByRole('link', { name: 'Lamps' })
      .click();
    await page.waitForURL(new RegExp(`/incidents/${incidentId}$`));
  });

  it('lists a channel with its last delivery and failure, and what nobody would hear of', async () => {
    await seedMonitor(stage.app, { name: 'Unwatched' });
    await visit.open('/alerts');
    await page.getByText('Failed').waitFor();
    await visit.open('/alerts?tab=coverage');
    const row = page.getByRole('row', { name: /Unwatched/ });
    await row.getByRole('button', { name: /^Alert me at / }).click();
    await row.waitFor({ state: 'detached' });
  });

  describe('is readable from a phone to a wide screen, in both themes:', () => {
    let groups: { id: string }[];
    let scheduleId: string;
    let policyId: string;
    before(async () => {
      policyId = (await stage.app.api('GET', `/api/v1/teams/${teamId}/escalation-policies`)).body[0].id;
      const schedules = `/api/v1/teams/${teamId}/schedules`;
      const [first] = (await stage.app.api('GET', schedules)).body as { id: string }[];
      scheduleId = first!.id;
      await create(stage.app.api, '/api/v1/action-groups/email', { name: 'Mail', recipients: ['ops@example.test'] });
      groups = (await stage.app.api('GET', '/api/v1/action-groups')).body as typeof groups;
    });
    for (const [name, pathOf] of [
      ['on-call', () => '/on-call'],
      ['on-call-month', () => '/on-call?view=month'],
      ['on-call-team', () => `/on-call?tab=teams&team=${teamId}`],
      ['on-call-teams', () => '/on-call?tab=teams'],
      ['on-call-schedule', () => `/on-call?tab=teams&team=${teamId}&schedule=${scheduleId}`],
      ['on-call-policy', () => `/on-call?tab=teams&team=${teamId}&policy=${policyId}`],
      ['on-call-policy-built-in', () => `/on-call?tab=teams&team=${teamId}&policy=${teamId}`],
      ['on-call-schedule-new', () => `/on-call?tab=teams&team=${teamId}&schedule=new`],
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
