import { expect } from 'chai';
import { DAY_MS } from '@watchpost/shared/time';
import { PLANS, TRIAL_BUDGETS } from '@watchpost/control-plane/capabilities/plans/plans';
import { startTestApp, type TestApp, type TestUser } from '../../support/app.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { deliveriesOf, openIncident, timelineOf } from '../../support/seed-alerts.js';

const created = answer(201, { 'content-type': 'application/json' }, '{"sid":"SM1","status":"queued"}');

interface Group {
  id: string;
  recipients?: string[];
  recipientsPending: string[];
  recipientsRefused: string[];
}

describe('Recipients of alerts', () => {
  let app: TestApp;
  let carrier: WebhookReceiver;
  let strangers = 0;

  before(async () => {
    carrier = await startWebhookReceiver();
    carrier.always(created);
    app = await startTestApp({
      env: {
        TWILIO_ACCOUNT_SID: 'AC123',
        TWILIO_AUTH_TOKEN: 's3cr3t',
        TWILIO_FROM: '+15005550006',
        TWILIO_API_URL: carrier.url,
      },
    });
  });
  after(async () => {
    await app.stop();
    await carrier.stop();
  });

  const stranger = () => `stranger-${++strangers}@elsewhere.test`;
  const number = () => `+49151${20_000_000 + ++strangers}`;
  /** Runs the workers. */
  async function work(): Promise<void> {
    for (const name of ['page_due', 'ask_recipients'])
      await app.plane.periodicTasks.find((one) => one.name === name)!.run();
    await app.plane.delivery.runDue();
    // Mails of one millisecond are in no order.
    app.clock.advance(1);
  }
  const job = (name: string) => app.plane.jobs.find((one) => one.name === name)!.run();
  const mailsTo = (address: string) =>
    app.sql<{ subject: string; text: string; html: string }>(
      'SELECT subject, text, html FROM local_mail WHERE recipient = $1 ORDER BY id',
      [address],
    );
  const textsTo = (phone: string) =>
    carrier.calls
      .map(({ body }) => new URLSearchParams(body))
      .flatMap((form) => (form.get('To') === phone ? [form.get('Body')!] : []));
  const linkIn = (text: string) => /http\S+\/confirm-recipient\/[\w-]+/.exec(text)![0];
  const codeIn = (text: string) => /Watchpost: (\d{6}) is your code/.exec(text)![1]!;
  const post = (url: string) => fetch(url, { method: 'POST', headers: { accept: 'application/json' } });
  async function confirm(address: string): Promise<void> {
    expect((await post(linkIn((await mailsTo(address)).at(-1)!.text))).status).to.equal(200);
  }
  const seedMail = (world: World, ...recipients: string[]) =>
    create<Group>(world.api, '/api/v1/action-groups/email', { name: 'Team', recipients });
  const read = async (world: World, { id }: { id: string }) =>
    (await world.api<Group>('GET', `/api/v1/action-groups/${id}`)).body;
  const resend = (world: World, { id }: { id: string }, recipient: string) =>
    world.api('POST', `/api/v1/action-groups/email/${id}/resend-confirmation`, { recipient });
  async function watch(world: World, ...groups: { id: string }[]): Promise<string> {
    const { id } = await seedMonitor(world);
    for (const group of groups) await create(world.api, `/api/v1/action-groups/${group.id}/monitors/${id}`);
    return id;
  }
  async function alert(world: World, ...groups: { id: string }[]): Promise<string> {
    const incidentId = await openIncident(world, await watch(world, ...groups));
    await work();
    return incidentId;
  }
  const startTrial = (user: TestUser, plan = 'Growth') =>
    create(user.api, `/api/v1/user/${user.userId}/trial`, { plan }, 'PUT');
  async function seedPhones(world: World, ...phoneNumbers: string[]): Promise<Group & { monitorId: string }> {
    const { id: monitorId } = await seedMonitor(world);
    const body = { name: 'Phones', phoneNumbers };
    return { ...(await create<Group>(world.api, `/api/v1/monitor/${monitorId}/sms-action-group`, body)), monitorId };
  }

  describe('of an account on Starter', () => {
    it('are asked once, and are sent nothing else before they confirm', async () => {
      const world = await makeWorld(app, 'Starter');
      const somebody = stranger();
      const group = await seedMail(world, somebody, world.owner.email.toUpperCase());
      expect(group).to.deep.include({ recipientsPending: [somebody], recipientsRefused: [] });
      const incidentId = await alert(world, group);
      expect((await mailsTo(somebody)).map(({ subject }) => subject)).to.deep.equal([
        'Confirm that Watchpost may send you alerts',
      ]);
      expect((await mailsTo(world.owner.email.toUpperCase())).map(({ subject }) => subject)).to.deep.equal([
        'Down: Shop',
      ]);
      const failed = (await deliveriesOf(world, group.id)).find(({ destination }) => destination === somebody);
      expect(failed).to.include({ state: 'failed', error: 'recipient_unconfirmed', attempts: 0 });
      const events = (await timelineOf(world, incidentId)).map(({ type }) => type);
      expect(events).to.include.members(['notified', 'notification_failed']);
      const link = linkIn((await mailsTo(somebody)).at(-1)!.text);
      for (let twice = 0; twice < 2; twice++) await post(link);
      expect((await read(world, group)).recipientsPending).to.deep.equal([]);
      await work();
      expect(
        (await mailsTo(somebody)).slice(1).map(({ subject }) => subject),
        'what is open, once',
      ).to.deep.equal(['Down: Shop']);
      expect(await mailsTo(world.owner.email.toUpperCase()), 'who was notified of it').to.have.length(1);
      await alert(world, group);
      expect((await mailsTo(somebody)).at(-1)!.subject).to.equal('Down: Shop');
    });

    it('confirm by a button: reading the link by GET or HEAD changes nothing', async () => {
      const world = await makeWorld(app, 'Starter');
      const somebody = stranger();
      const group = await seedMail(world, somebody);
      await work();
      const [mail] = await mailsTo(somebody);
      const link = linkIn(mail!.text);
      for (const method of ['GET', 'HEAD', 'GET']) {
        const page = await fetch(link, { method, headers: { accept: 'text/html' } });
        expect(page.status).to.equal(200);
        if (method === 'GET')
          expect(await page.text())
            .to.include('<button>Confirm</button>')
            .and.to.include(somebody);
      }
      expect((await read(world, group)).recipientsPending).to.deep.equal([somebody]);
      const page = await fetch(link, { method: 'POST', headers: { accept: 'text/html' } });
      expect(await page.text()).to.include('Alerts may be sent to this address.');
      expect((await read(world, group)).recipientsPending).to.deep.equal([]);
    });

    it('stay confirmed when the group is edited, and when they are removed and added again', async () => {
      const world = await makeWorld(app, 'Starter');
      const somebody = stranger();
      const path = (await seedMail(world, somebody)).id;
      await work();
      await confirm(somebody);
      const edit = (recipients: string[]) =>
        create<Group>(world.api, `/api/v1/action-groups/email/${path}`, { recipients }, 'PUT');
      const other = stranger();
      expect((await edit([other])).recipientsPending).to.deep.equal([other]);
      expect((await edit([somebody.toUpperCase()])).recipientsPending).to.deep.equal([]);
      await work();
      expect(await mailsTo(somebody), 'one request in all').to.have.length(1);
      expect(await mailsTo(other), 'gone before anybody was asked').to.have.length(0);
    });

    it('who refuse are sent nothing and are not asked again, on any plan, until they are members', async () => {
      const world = await makeWorld(app, 'Starter');
      const somebody = stranger();
      const group = await seedMail(world, somebody);
      await work();
      const link = linkIn((await mailsTo(somebody))[0]!.text);
      expect(await (await post(`${link}/refuse`)).json()).to.include({ state: 'refused', recipient: somebody });
      expect(await read(world, group)).to.deep.include({ recipientsPending: [], recipientsRefused: [somebody] });
      const again = await resend(world, group, somebody);
      expect(again.status).to.equal(400);
      expect(JSON.stringify(again.body)).to.include('invite its user as a member');
      await app.setPlan('Pro', {}, world.owner);
      await alert(world, group);
      expect((await deliveriesOf(world, group.id))[0]).to.include({ state: 'failed', error: 'recipient_refused' });
      expect(await mailsTo(somebody)).to.have.length(1);
      // The link still works for changing the answer.
      await post(link);
      expect(await read(world, group)).to.deep.include({ recipientsPending: [], recipientsRefused: [] });
    });

    it('are asked at most three times a day and ten times in all, and former links are invalid', async () => {
      const world = await makeWorld(app, 'Starter');
      const somebody = stranger();
      const group = await seedMail(world, somebody);
      await work();
      const first = linkIn((await mailsTo(somebody))[0]!.text);
      const start = app.clock.now();
      for (let day = 0; day < 4; day++) {
        for (let count = 0; count < 4; count++) {
          const { status } = await resend(world, group, somebody);
          expect(status, `day ${day}, request ${count}`).to.be.oneOf([200, 429]);
          await work();
        }
        expect((await mailsTo(somebody)).length).to.equal([3, 6, 9, 10][day]);
        app.clock.advance(DAY_MS + 1);
      }
      expect((await resend(world, group, somebody)).body.message).to.include('10 times');
      app.clock.set(start);
      expect((await fetch(first, { headers: { accept: 'application/json' } })).status).to.equal(404);
    });

    it('see who asks by a verified address, and no text of a customer', async () => {
      const world = await makeWorld(app, 'Starter');
      await app.sql('UPDATE workspace SET name = $2 WHERE id = $1', [world.workspaceId, 'Pay at evil.example']);
      await app.sql('UPDATE user_account SET name = $2 WHERE id = $1', [world.owner.userId, 'evil.example']);
      const somebody = stranger();
      await create(world.api, '/api/v1/action-groups/email', { name: 'http://evil.example', recipients: [somebody] });
      await work();
      const [mail] = await mailsTo(somebody);
      expect(mail!.text).to.include(`${world.owner.email} asks to send alerts`);
      expect(`${mail!.subject} ${mail!.text} ${mail!.html}`).not.to.include('evil');
      const hosts = [...mail!.html.matchAll(/href="([^"]+)"/g)].map(([, url]) => new URL(url!).origin);
      expect([...new Set(hosts)]).to.deep.equal([app.baseUrl]);
    });

    it('are asked within one budget of the owner over all workspaces, the rest on the next day', async () => {
      const world = await makeWorld(app, 'Starter');
      const { confirmations } = PLANS.Starter.budgets;
      const people = Array.from({ length: confirmations + 5 }, stranger);
      await seedMail(world, ...people.slice(0, 20));
      await seedMail({ ...world, api: world.owner.api }, ...people.slice(20));
      await work();
      const asked = async () => (await app.sql('SELECT FROM local_mail WHERE recipient = ANY ($1)', [people])).length;
      expect(await asked()).to.equal(confirmations);
      const start = app.clock.now();
      app.clock.advance(DAY_MS);
      await work();
      expect(await asked()).to.equal(people.length);
      app.clock.set(start);
    });

    it('are asked at most ten times a day by all owners together', async () => {
      const somebody = stranger();
      for (let count = 0; count < 12; count++) await seedMail(await makeWorld(app, 'Starter'), somebody);
      await work();
      expect(await mailsTo(somebody)).to.have.length(10);
    });

    it('are not asked while the owner is suspended', async () => {
      const world = await makeWorld(app, 'Starter');
      const somebody = stranger();
      await seedMail(world, somebody);
      const suspend = (at: Date | null) =>
        app.sql('UPDATE user_account SET suspended_at = $2 WHERE id = $1', [world.owner.userId, at]);
      await suspend(new Date(app.clock.now()));
      await work();
      expect(await mailsTo(somebody)).to.have.length(0);
      await suspend(null);
      await work();
      expect(await mailsTo(somebody)).to.have.length(1);
    });

    it('get no test of the group and no report before they confirm', async () => {
      const world = await makeWorld(app, 'Starter');
      const somebody = stranger();
      const group = await seedMail(world, somebody, world.owner.email);
      const { body } = await world.api('POST', `/api/v1/action-groups/${group.id}/test`);
      expect(body.delivered, JSON.stringify(body)).to.equal(false);
      expect(body.deliveries.map(({ error }: { error: string | null }) => error)).to.deep.equal([
        'recipient_unconfirmed',
        null,
      ]);
      const monitorId = await watch(world, group);
      await create(world.api, `/api/v1/monitor/${monitorId}`, { reporting: { dailyReport: true } }, 'PUT');
      const start = app.clock.now();
      app.clock.advance(DAY_MS);
      await job('send_due_reports');
      await work();
      const subjects = async (to: string) => (await mailsTo(to)).map(({ subject }) => subject.split(' ')[0]);
      expect(await subjects(somebody)).to.deep.equal(['Confirm']);
      expect(await subjects(world.owner.email)).to.deep.equal(['Test:', 'Daily']);
      app.clock.set(start);
    });

    it('of the legacy interface confirm too', async () => {
      const world = await makeWorld(app, 'Starter');
      const somebody = stranger();
      const { id } = await seedMonitor(world);
      const path = `/api/v1/monitor/${id}/email-action-group`;
      const group = await create<Group>(world.api, path, { name: 'Team', recipients: [somebody] });
      expect(group.recipientsPending).to.deep.equal([somebody]);
    });

    it('are the reason in the preview why nobody would be notified', async () => {
      const world = await makeWorld(app, 'Starter');
      const group = await seedMail(world, stranger());
      const id = await watch(world, group);
      const { body } = await world.api('GET', `/api/v1/monitor/${id}/alert-preview`);
      expect(body).to.include({ willAnyoneHear: false });
      expect(body.reasons.join(' ')).to.include('has confirmed yet');
    });
  });

  describe('of an account on trial', () => {
    it('confirm a number by a code, which five wrong ones invalidate', async () => {
      const world = await makeWorld(app, 'Starter');
      await startTrial(world.owner);
      const phone = number();
      const group = await seedPhones(world, phone);
      expect(group.recipientsPending).to.deep.equal([phone]);
      await openIncident(world, group.monitorId);
      await work();
      expect(textsTo(phone), 'the code and nothing else').to.have.length(1);
      const path = `/api/v1/action-groups/sms/${group.id}`;
      const enter = (code: string) => world.api('POST', `${path}/confirm-recipient`, { phoneNumber: phone, code });
      const first = codeIn(textsTo(phone)[0]!);
      const wrong = first === '000000' ? '000001' : '000000';
      for (let count = 0; count < 5; count++) expect((await enter(wrong)).status).to.equal(400);
      expect((await enter(first)).status, 'the right one, too late').to.equal(429);
      await create(world.api, `${path}/resend-confirmation`, { phoneNumber: phone });
      await work();
      const second = codeIn(textsTo(phone)[1]!);
      const confirmed = await enter(second);
      expect(confirmed.status).to.equal(200);
      expect(confirmed.body.recipientsPending).to.deep.equal([]);
      expect((await enter(second)).status, 'entered twice').to.equal(200);
      await openIncident(world, (await seedPhones(world, phone)).monitorId);
      await work();
      expect(textsTo(phone), 'two codes, the incident that was open, and another').to.have.length(4);
      const kept = await app.sql(`SELECT extra FROM delivery WHERE address = $1 AND purpose = 'confirmation'`, [phone]);
      expect(
        kept.every(({ extra }) => JSON.stringify(extra) === '{}'),
        'no code is kept',
      ).to.equal(true);
    });

    it('must confirm on any plan, and no longer when the operator sets a plan', async () => {
      const world = await makeWorld(app, 'Starter');
      await startTrial(world.owner, 'Enterprise');
      const somebody = stranger();
      const group = await seedMail(world, somebody);
      expect(group.recipientsPending).to.deep.equal([somebody]);
      await app.setPlan('Growth', {}, world.owner);
      expect((await read(world, group)).recipientsPending).to.deep.equal([]);
    });

    it('who are members confirm their own number for pages', async () => {
      const world = await makeWorld(app, 'Starter');
      await startTrial(world.owner);
      const lead = await world.member('Responder');
      const phone = number();
      const me = `/api/v1/workspaces/${world.workspaceId}/members/me`;
      const preferences = { notificationPreferences: { sms: true, phoneNumber: phone } };
      await create(lead.api, me, preferences, 'PATCH');
      const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
      await create(world.api, `/api/v1/teams/${team.id}/members`, { userId: lead.userId, teamRole: 'lead' });
      const page = async () => {
        const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
        await create(world.api, `/api/v1/teams/${team.id}/service-groups/${serviceGroupId}`, undefined, 'PUT');
        await openIncident(world, (await seedMonitor(world, { serviceGroupId })).id);
        // Nobody is on call, so the leads are paged at once.
        await work();
        await work();
      };
      await page();
      expect(textsTo(phone)).to.deep.equal([]);
      expect((await mailsTo(lead.email)).length, 'pages by mail are never held').to.equal(1);
      expect((await create(lead.api, `${me}/phone-number/send-code`)).isConfirmed).to.equal(false);
      await work();
      const code = codeIn(textsTo(phone)[0]!);
      expect(await create(lead.api, `${me}/phone-number/confirm`, { code })).to.deep.equal({
        phoneNumber: phone,
        isConfirmed: true,
      });
      await page();
      expect(textsTo(phone)).to.have.length(2);
    });

    it('that never confirmed must do so when the plan becomes Starter', async () => {
      const world = await makeWorld(app, 'Growth');
      const [asked, member] = [stranger(), await world.member('Viewer')];
      const group = await seedMail(world, asked, member.email);
      expect(group.recipientsPending).to.deep.equal([]);
      await alert(world, group);
      expect(await mailsTo(asked)).to.have.length(1);
      await app.setPlan('Starter', {}, world.owner);
      expect((await read(world, group)).recipientsPending).to.deep.equal([asked]);
      await work();
      expect((await mailsTo(asked)).map(({ subject }) => subject)).to.deep.equal([
        'Down: Shop',
        'Confirm that Watchpost may send you alerts',
      ]);
      expect(await mailsTo(member.email)).to.have.length(1);
    });
  });

  it('keep their answers when the workspace gets another owner', async () => {
    const world = await makeWorld(app, 'Starter');
    const [yes, no] = [stranger(), stranger()];
    const group = await seedMail(world, yes, no);
    await work();
    await confirm(yes);
    await post(`${linkIn((await mailsTo(no))[0]!.text)}/refuse`);
    const heir = await world.member('Admin');
    await create(world.api, `/api/v1/workspaces/${world.workspaceId}/transfer-ownership`, { memberId: heir.memberId });
    const { body } = await heir.api<Group>('GET', `/api/v1/action-groups/${group.id}`);
    expect(body).to.deep.include({ recipientsPending: [], recipientsRefused: [no] });
  });

  it('who are asked by the new owner already are not asked any more, and keep what they answered the new owner', async () => {
    const world = await makeWorld(app, 'Starter');
    const [yes, no, changed] = [stranger(), stranger(), stranger()];
    const group = await seedMail(world, yes, no, changed);
    await work();
    await confirm(yes);
    await confirm(changed);
    await post(`${linkIn((await mailsTo(no))[0]!.text)}/refuse`);
    const heir = await world.member('Admin');
    const home = app.as(heir.sub, { workspaceId: heir.workspaceId });
    await seedMail({ ...world, api: home }, yes, no, changed);
    await work();
    await post(`${linkIn((await mailsTo(changed)).at(-1)!.text)}/refuse`);
    // A further request to each is due when the workspace is transferred.
    await app.sql('UPDATE alert_recipient SET ask_at = $2 WHERE owner_id = $1 AND refused_at IS NULL', [
      heir.userId,
      new Date(app.clock.now()),
    ]);
    await create(world.api, `/api/v1/workspaces/${world.workspaceId}/transfer-ownership`, { memberId: heir.memberId });
    const { body } = await heir.api<Group>('GET', `/api/v1/action-groups/${group.id}`);
    expect(body).to.deep.include({ recipientsPending: [], recipientsRefused: [no, changed] });
    await work();
    const due = 'SELECT FROM alert_recipient WHERE owner_id = $1 AND ask_at IS NOT NULL';
    expect(await app.sql(due, [heir.userId])).to.have.length(0);
    expect(await mailsTo(yes), 'one request of each owner').to.have.length(2);
  });

  it('who are members keep the confirmation of their own number when the workspace gets another owner', async () => {
    const world = await makeWorld(app, 'Starter');
    await startTrial(world.owner);
    const lead = await world.member('Responder');
    const phone = number();
    const me = `/api/v1/workspaces/${world.workspaceId}/members/me`;
    await create(lead.api, me, { notificationPreferences: { sms: true, phoneNumber: phone } }, 'PATCH');
    await create(lead.api, `${me}/phone-number/send-code`);
    await work();
    await create(lead.api, `${me}/phone-number/confirm`, { code: codeIn(textsTo(phone)[0]!) });
    const heir = await world.member('Admin');
    await create(world.api, `/api/v1/workspaces/${world.workspaceId}/transfer-ownership`, { memberId: heir.memberId });
    const { body } = await lead.api('GET', `${me}/phone-number`);
    expect(body).to.deep.equal({ phoneNumber: phone, isConfirmed: true });
  });

  describe('are sent messages within a daily budget', () => {
    const spend = (owner: TestUser, kind: string, spent: number) =>
      app.sql(
        `INSERT INTO daily_budget (principal, day, kind, spent)
         SELECT sha256(convert_to(json_build_array(issuer, subject)::text, 'UTF8')), $2, $3, $4
         FROM user_account WHERE id = $1`,
        [owner.userId, new Date(app.clock.now()).toISOString().slice(0, 10), kind, spent],
      );
    const spentOf = async (owner: TestUser, kind: string) => {
      const [row] = await app.sql<{ spent: number }>(
        `SELECT spent FROM daily_budget WHERE kind = $2 AND principal = (
           SELECT sha256(convert_to(json_build_array(issuer, subject)::text, 'UTF8')) FROM user_account WHERE id = $1)`,
        [owner.userId, kind],
      );
      return row?.spent ?? 0;
    };

    it('over which alerts fail, pages by mail do not, and the owner is notified once', async () => {
      const world = await makeWorld(app, 'Growth');
      const { mails } = PLANS.Growth.budgets;
      await spend(world.owner, 'mails', mails - 1);
      const group = await seedMail(world, stranger(), stranger(), stranger());
      await alert(world, group);
      const states = (await deliveriesOf(world, group.id)).map(({ state }) => state);
      expect(states.toSorted()).to.deep.equal(['delivered', 'failed', 'failed']);
      const failed = (await deliveriesOf(world, group.id)).find(({ state }) => state === 'failed');
      expect(failed).to.include({ error: 'budget_exceeded' });
      await alert(world, group);
      await work();
      expect((await mailsTo(world.owner.email)).map(({ subject }) => subject)).to.deep.equal([
        'Watchpost has sent all mails of today',
      ]);
      expect(await spentOf(world.owner, 'mails')).to.equal(mails);
      const start = app.clock.now();
      app.clock.advance(DAY_MS);
      await alert(world, group);
      expect((await deliveriesOf(world, group.id))[0]).to.include({ state: 'delivered' });
      app.clock.set(start);
    });

    it('that is smaller during a trial, and counts only sent messages', async () => {
      const world = await makeWorld(app, 'Starter');
      await startTrial(world.owner, 'Enterprise');
      const phone = number();
      const group = await seedPhones(world, phone);
      await work();
      const code = codeIn(textsTo(phone)[0]!);
      await create(world.api, `/api/v1/action-groups/sms/${group.id}/confirm-recipient`, { phoneNumber: phone, code });
      expect(await spentOf(world.owner, 'sms')).to.equal(1);
      carrier.next(answer(500));
      await openIncident(world, group.monitorId);
      await work();
      expect(await spentOf(world.owner, 'sms'), 'given back').to.equal(1);
      await app.sql(`UPDATE daily_budget SET spent = $1 WHERE kind = 'sms' AND spent = 1`, [TRIAL_BUDGETS.sms]);
      app.clock.advance(60_000);
      await work();
      expect((await deliveriesOf(world, group.id))[0]).to.include({ state: 'failed', error: 'budget_exceeded' });
    });

    it('that is separate for invitations, over all workspaces of the owner', async () => {
      const world = await makeWorld(app, 'Starter');
      await spend(world.owner, 'invitations', PLANS.Starter.budgets.invitations - 1);
      const invite = (api: World['api'], workspaceId: string) =>
        api('POST', `/api/v1/workspaces/${workspaceId}/invitations`, { email: stranger(), role: 'Viewer' });
      expect((await invite(world.api, world.workspaceId)).status).to.equal(201);
      const { status, body } = await invite(world.owner.api, world.owner.workspaceId);
      expect(status).to.equal(429);
      expect(body.message).to.include('Try again tomorrow');
    });

    it('that deleting and creating the account does not renew', async () => {
      const somebody = await app.user();
      await spend(somebody, 'invitations', PLANS.Starter.budgets.invitations);
      await somebody.api('DELETE', `/api/v1/user/${somebody.userId}`);
      const again = await app.user(somebody.sub);
      expect(again.userId).not.to.equal(somebody.userId);
      const path = `/api/v1/workspaces/${again.workspaceId}/invitations`;
      expect((await again.api('POST', path, { email: stranger(), role: 'Viewer' })).status).to.equal(429);
    });
  });
});

describe('Recipients of an installation in which everybody confirms', () => {
  it('are asked on every plan', async () => {
    const app = await startTestApp({ env: { RECIPIENT_VERIFICATION: 'always' } });
    try {
      const world = await makeWorld(app, 'Enterprise');
      const recipients = ['somebody@elsewhere.test', world.owner.email];
      const group = await create(world.api, '/api/v1/action-groups/email', { name: 'Team', recipients });
      expect(group['recipientsPending']).to.deep.equal(['somebody@elsewhere.test']);
    } finally {
      await app.stop();
    }
  });
});
