import { expect } from 'chai';
import { TRIAL_BUDGETS } from '@watchpost/control-plane/capabilities/plans/plans';
import { openTogether } from '../../support/seed-alerts.js';
import { startTestApp, type TestApp, type TestUser } from '../../support/app.js';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { startMailServer, type MailServer } from '../../support/mail-server.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

const STRANGERS = 23;
const PHONES = 12;
const ROUNDS = 4;
const WORKSPACES = 4;

/** Attack 8: action groups of a trial owner contain the addresses and numbers of people who never agreed. */
describe('strangers whom a trial owner names as recipients', () => {
  let app: TestApp;
  let mailServer: MailServer;
  let carrier: WebhookReceiver;
  let attacker: TestUser;

  before(async () => {
    [mailServer, carrier] = await Promise.all([startMailServer(), startWebhookReceiver()]);
    carrier.always(answer(201, { 'content-type': 'application/json' }, '{"sid":"SM1","status":"queued"}'));
    app = await startTestApp({
      env: {
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        MAIL_FROM: 'Watchpost <alerts@watch.example>',
        TWILIO_ACCOUNT_SID: 'AC123',
        TWILIO_AUTH_TOKEN: 's3cr3t',
        TWILIO_FROM: '+15005550006',
        TWILIO_API_URL: carrier.url,
      },
    });
    attacker = await app.user('attacker');
    await create(attacker.api, `/api/v1/user/${attacker.userId}/trial`, { plan: 'Pro' }, 'PUT');
  });
  after(async () => {
    await app?.stop();
    await mailServer?.stop();
    await carrier?.stop();
  });

  const people = Array.from({ length: STRANGERS }, (_, index) => `stranger-${index}@elsewhere.test`);
  const phones = Array.from({ length: PHONES }, (_, index) => `+49151${40_000_000 + index}`);
  async function work(): Promise<void> {
    await app.plane.periodicTasks.find(({ name }) => name === 'ask_recipients')!.run();
    await app.plane.delivery.runDue();
  }
  const mailsTo = (addresses: readonly string[]) => mailServer.mails.filter(({ to }) => addresses.includes(to[0]!));
  const textsTo = (numbers: readonly string[]) =>
    carrier.calls.filter(({ body }) => numbers.includes(new URLSearchParams(body).get('To')!));

  /** Makes workspaces of one owner with monitors whose groups name every stranger. */
  async function aim(workspaceId: string): Promise<{ workspaceId: string; monitorIds: string[] }> {
    const api = app.as(attacker.sub, { workspaceId });
    const monitorIds: string[] = [];
    const { id: mails } = await create(api, '/api/v1/action-groups/email', { name: 'All', recipients: people });
    for (let count = 0; count < 3; count++) {
      const { id } = await seedMonitor({ api });
      await create(api, `/api/v1/action-groups/${mails}/monitors/${id}`);
      monitorIds.push(id);
    }
    return { workspaceId, monitorIds };
  }

  it('get one request each and no alert, and the alerts of another tenant are not delayed', async () => {
    const victim = await makeWorld(app, 'Growth');
    const victimGroup = { name: 'Operators', recipients: ['operator@victim.test'] };
    const { id: victimGroupId } = await create(victim.api, '/api/v1/action-groups/email', victimGroup);
    const alertVictim = async (): Promise<number> => {
      const before = mailsTo(victimGroup.recipients).length;
      const { id } = await seedMonitor(victim);
      await create(victim.api, `/api/v1/action-groups/${victimGroupId}/monitors/${id}`);
      const started = performance.now();
      await openTogether(victim, [id]);
      await work();
      expect(mailsTo(victimGroup.recipients)).to.have.length(before + 1);
      return Math.round(performance.now() - started);
    };
    const baseline = await alertVictim();

    const places = [await aim(attacker.workspaceId)];
    for (let count = 1; count < WORKSPACES; count++) {
      const made = await create(attacker.api, '/api/v1/workspaces', { name: `More ${count}` });
      places.push(await aim(made.id));
    }
    const sms = app.as(attacker.sub, { workspaceId: attacker.workspaceId });
    const body = { name: 'Phones', phoneNumbers: phones };
    const smsGroup = await create<{ id: string; recipientsPending: string[] }>(
      sms,
      `/api/v1/monitor/${places[0]!.monitorIds[0]}/sms-action-group`,
      body,
    );
    expect(smsGroup.recipientsPending).to.deep.equal(phones);

    const during: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const { workspaceId, monitorIds } of places)
        await openTogether({ app, workspaceId } as World, await fresh(monitorIds));
      await work();
      await sms('POST', `/api/v1/action-groups/${smsGroup.id}/test`);
      during.push(await alertVictim());
      app.clock.advance(60_000);
    }

    const requests = mailsTo(people);
    const texts = textsTo(phones);
    const codes = texts.filter(({ body: sent }) => / is your code/.test(new URLSearchParams(sent).get('Body')!));
    const alerts = requests.filter(({ headers }) => !headers['subject']!.startsWith('Confirm that'));
    printFairnessFigure({
      attack: 8,
      measure: `alerts by mail to ${STRANGERS} strangers in ${ROUNDS} rounds`,
      before: 453,
      during: alerts.length,
      limit: '0',
    });
    printFairnessFigure({
      attack: 8,
      measure: `requests by mail and by SMS (${STRANGERS + PHONES} strangers)`,
      before: 'alerts at once',
      during: requests.length + codes.length,
      limit: `at most ${TRIAL_BUDGETS.confirmations} a day and owner`,
    });
    printFairnessFigure({
      attack: 8,
      measure: 'SMS to strangers other than the code',
      before: '20,000 an hour, by arithmetic',
      during: texts.length - codes.length,
      limit: '0',
    });
    printFairnessFigure({
      attack: 8,
      measure: "the victim's alert by mail, with the attacker's work in the same queue, ms",
      before: baseline,
      during: Math.max(...during),
      limit: 'in the same turn of the queue',
    });
    expect(alerts).to.deep.equal([]);
    expect(texts.length).to.equal(codes.length);
    expect(new Set(requests.map(({ to }) => to[0])).size, 'one request each').to.equal(requests.length);
    expect(requests.length + codes.length).to.be.at.most(TRIAL_BUDGETS.confirmations);
  });

  /** Makes monitors with the same groups and no open incident. */
  async function fresh(monitorIds: readonly string[]): Promise<string[]> {
    await app.sql(`UPDATE incident SET is_closed = true, status = 'Resolved' WHERE monitor_id = ANY ($1)`, [
      monitorIds,
    ]);
    return [...monitorIds];
  }

  it('get SMS within the daily budget after they agreed', async () => {
    const world = await makeWorld(app, 'Starter');
    await create(world.owner.api, `/api/v1/user/${world.owner.userId}/trial`, { plan: 'Pro' }, 'PUT');
    const numbers = Array.from({ length: 10 }, (_, index) => `+49151${50_000_000 + index}`);
    const { id: monitorId } = await seedMonitor(world);
    const body = { name: 'Phones', phoneNumbers: numbers };
    const { id } = await create(world.api, `/api/v1/monitor/${monitorId}/sms-action-group`, body);
    await work();
    await app.sql('UPDATE alert_recipient SET confirmed_at = created WHERE owner_id = $1', [world.owner.userId]);
    const before = textsTo(numbers).length;
    // A number gets at most five in 15 minutes, so that 20 tests take an hour.
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let count = 0; count < 5; count++) {
        app.clock.advance(10_000);
        expect((await world.api('POST', `/api/v1/action-groups/${id}/test`)).status).to.equal(200);
      }
      app.clock.advance(20 * 60_000);
    }
    const sent = textsTo(numbers).length;
    printFairnessFigure({
      attack: 8,
      measure: 'SMS of a trial owner to numbers that agreed, of 200 asked for',
      before: 200,
      during: sent - before,
      limit: `${TRIAL_BUDGETS.sms} a day, codes included`,
    });
    expect(sent).to.equal(TRIAL_BUDGETS.sms);
    await work();
    const notices = mailServer.mails.filter(({ to }) => to[0] === world.owner.email);
    expect(notices.map(({ headers }) => headers['subject'])).to.deep.equal([
      'Watchpost has sent all text messages of today',
    ]);
  });
});
