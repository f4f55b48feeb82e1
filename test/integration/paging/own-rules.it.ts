import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { startTestApp, type TestApp, type TestMember } from '../../support/app.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { openIncident, seedGroup, timelineOf } from '../../support/seed-alerts.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { NOON } from '../results/seed.js';

const OK = answer(
  200,
  { 'content-type': 'application/json' },
  '{"ok":true,"status":1,"id":"x","result":{"message_id":5}}',
);
const USER_KEY = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG';
const BOT = '123456789:AAEexampleexampleexampleexample_01';

const GONE = 'The person is no active member of the workspace any more.';

describe('The own rules of a person', () => {
  let app: TestApp;
  let world: World;
  let ann: TestMember;
  /** Telegram, ntfy and Pushover. */
  let services: WebhookReceiver;

  before(async () => {
    services = await startWebhookReceiver();
    services.always(OK);
    app = await startTestApp({
      env: {
        TWILIO_ACCOUNT_SID: 'AC0',
        TWILIO_AUTH_TOKEN: 'none',
        TWILIO_FROM: '+15005550006',
        TWILIO_API_URL: services.url,
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        TELEGRAM_API_URL: services.url,
        PUSHOVER_API_URL: services.url,
      },
    });
  });
  after(async () => {
    await app.stop();
    await services.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app, 'Pro');
    ann = await world.member('Responder');
    services.calls.length = 0;
  });

  const me = () => `/api/v1/workspaces/${world.workspaceId}/members/me`;
  const topic = (name = 'ann-a1B2c3D4e5F6') => ({ type: 'ntfy', address: `${services.url}/${name}` });
  const lastCode = () => /\b(\d{6}) is your code/.exec(services.calls.at(-1)!.body)![1]!;
  const change = (body: object, member = ann) => member.api('PATCH', me(), body);

  describe('in their contact methods', () => {
    it('have addresses that are proven by a code, sent by what a group of the type lends', async () => {
      const pushover = { type: 'pushover', address: USER_KEY };
      expect((await change({ contactMethods: [topic(), pushover] })).body.details).to.deep.equal([
        {
          path: 'contactMethods.1.address',
          message: 'cannot be sent a code: no enabled Pushover group of this workspace has `apiToken` to lend',
        },
      ]);
      await seedGroup(world, 'pushover', {
        userKey: 'gQiRzpo4DXghDmr9QzzfQu27cmVRsG',
        apiToken: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
      });
      await seedGroup(world, 'telegram', { botToken: BOT, chatId: '-100' });
      const telegram = { type: 'telegram', address: '4711' };
      for (const method of [pushover, telegram, topic()]) {
        const { contactMethods: known } = (await ann.api('GET', me())).body;
        const all = [
          ...known.map(({ type, address }: { type: string; address: string }) => ({ type, address })),
          method,
        ];
        expect((await change({ contactMethods: all })).body.contactMethods).to.deep.include({
          ...method,
          isConfirmed: false,
        });
        const sent = services.calls.at(-1)!;
        expect(sent.body).to.include(method.type === 'ntfy' ? 'ann-a1B2c3D4e5F6' : method.address);
        const confirmed = await create(ann.api, `${me()}/contact-methods/confirm`, { ...method, code: lastCode() });
        expect(confirmed).to.deep.equal({ ...method, isConfirmed: true });
      }
      expect(services.calls.map(({ path }) => path)).to.include.members([`/bot${BOT}/sendMessage`, '/1/messages.json']);

      const { body: audited } = await world.api(
        'GET',
        `/api/v1/workspaces/${world.workspaceId}/audit?action=member.contact_method_confirmed`,
      );
      expect(JSON.stringify(audited)).to.include('4711').and.not.include(USER_KEY).and.not.include('a1B2c3D4');
      expect(Object.keys((await world.api('GET', me().replace('/me', `/${ann.memberId}`))).body)).to.not.include(
        'contactMethods',
      );
      expect((await change({ contactMethods: null })).body.contactMethods).to.deep.equal([]);
    });

    it('name all faults of addresses and rules', async () => {
      const { status, body } = await change({
        contactMethods: [
          { type: 'pushover', address: 'short' },
          { type: 'ntfy', address: 'http://192.0.2.1/topic' },
          { type: 'ntfy', address: '***' },
        ],
      });
      expect(status).to.equal(400);
      expect(body.details.map(({ path }: { path: string }) => path)).to.include.members([
        'contactMethods.0.address',
        'contactMethods.1.address',
        'contactMethods.2.address',
      ]);
      const rules = [
        { after: 'PT0S', channel: 'telegram' },
        { after: 'PT5M', channel: 'ntfy' },
      ];
      const refused = await change({ notificationPreferences: { rules } });
      expect(refused.body.details).to.deep.equal(
        [0, 1].map((place) => ({
          path: `notificationPreferences.rules.${place}.channel`,
          message: 'needs one of your `contactMethods`',
        })),
      );
      const twice = [
        { after: 'PT5M', channel: 'email' },
        { after: 'PT300S', channel: 'email' },
      ];
      for (const wrong of [twice, [{ after: 'P2D', channel: 'email' }], [{ after: 'PT0S', channel: 'voice' }]])
        expect((await change({ notificationPreferences: { rules: wrong } })).status, JSON.stringify(wrong)).to.equal(
          400,
        );
      const { notificationPreferences } = (
        await change({
          notificationPreferences: { rules: [{ after: 'PT300S', channel: 'email' }], shiftReminders: false },
        })
      ).body;
      expect(notificationPreferences).to.deep.include({
        rules: [{ after: 'PT5M', channel: 'email' }],
        shiftReminders: false,
      });
      expect((await change({ notificationPreferences: { rules: null } })).body.notificationPreferences.rules).to.equal(
        null,
      );
    });
  });

  describe('when they are paged', () => {
    let lea: TestMember;
    let monitorId: string;
    let teamId: string;

    beforeEach(async () => {
      app.clock.set(NOON);
      lea = await world.member('Admin');
      teamId = (await create(world.api, '/api/v1/teams', { name: 'Web' })).id;
      monitorId = (await seedMonitor(world, {})).id;
      await create(world.api, `/api/v1/monitor/${monitorId}`, { teamId }, 'PUT');
      for (const [{ userId }, teamRole] of [
        [ann, 'member'],
        [lea, 'lead'],
      ] as const)
        await create(world.api, `/api/v1/teams/${teamId}/members`, { userId, teamRole });
      const days = { rotation: 'daily', timezone: 'UTC', handoffTime: '09:00', startDate: '2026-11-01' };
      await create(world.api, `/api/v1/teams/${teamId}/schedule`, { ...days, participants: [ann.userId] }, 'PUT');
    });

    const work = () => app.plane.periodicTasks.find(({ name }) => name === 'page_due')!.run();
    const later = async (minutes: number) => {
      app.clock.advance(minutes * MINUTE_MS);
      await work();
    };
    const method = async (member: TestMember, one: { type: string; address: string }) => {
      await create(member.api, me(), { contactMethods: [one] }, 'PATCH');
      await create(member.api, `${me()}/contact-methods/confirm`, { ...one, code: lastCode() });
    };
    const prefer = (member: TestMember, notificationPreferences: object) =>
      create(member.api, me(), { notificationPreferences }, 'PATCH');
    const start = async () => {
      const incidentId = await openIncident(world, monitorId);
      await work();
      return incidentId;
    };
    /** The pages to a person: channel and minutes since the incident opened. */
    const pagesOf = async (incidentId: string, { userId }: TestMember) =>
      (
        await app.sql<{ channel: string; minutes: number }>(
          `SELECT d.channel, extract(epoch FROM e.at - $3)::integer / 60 AS minutes
           FROM delivery d JOIN alert_event e ON e.id = d.event_id
           WHERE e.incident_id = $1 AND d.purpose LIKE 'page:%:' || $2 ORDER BY d.seq`,
          [incidentId, userId, new Date(NOON)],
        )
      ).map(({ channel, minutes }) => `${minutes} ${channel}`);
    const reminders = () =>
      app.sql('SELECT FROM page_reminder WHERE workspace_id = $1', [world.workspaceId]).then(({ length }) => length);

    it('use each channel at its time, again for each step, until somebody else is paged', async () => {
      await method(ann, topic());
      await prefer(ann, {
        phoneNumber: '+353871234567',
        rules: [
          { after: 'PT0S', channel: 'ntfy' },
          { after: 'PT5M', channel: 'email' },
          { after: 'PT15M', channel: 'voice' },
          { after: 'PT30M', channel: 'sms' },
        ],
      });
      const preview = (await world.api('GET', `/api/v1/monitor/${monitorId}/alert-preview`)).body.teams[0].steps[0];
      expect(preview.people[0].channels).to.deep.include.members([
        { channel: 'ntfy', address: `${services.url}/***e5F6`, after: 'PT0S' },
        { channel: 'voice', address: '+353871234567', after: 'PT15M' },
      ]);
      const { id: scheduleId } = (await world.api('GET', `/api/v1/teams/${teamId}/schedules`)).body[0];
      const readiness = await world.api('GET', `/api/v1/teams/${teamId}/schedules/${scheduleId}/readiness`);
      expect(readiness.body[0].reachableBy).to.deep.equal(['ntfy', 'email', 'voice', 'sms']);

      const incidentId = await start();
      expect(await pagesOf(incidentId, ann)).to.deep.equal(['0 ntfy']);
      await later(5);
      await later(4);
      await later(1);
      await work();
      await later(5);
      expect(await pagesOf(incidentId, ann)).to.deep.equal(['0 ntfy', '5 email', '10 ntfy', '15 voice', '15 email']);
      await later(5);
      expect(await pagesOf(incidentId, lea), 'the leads').to.deep.equal(['20 email']);
      await later(60);
      expect(await pagesOf(incidentId, ann), 'nobody is reminded of what somebody else is paged for').to.have.length(5);
      expect(await reminders()).to.equal(0);

      await app.plane.delivery.runDue();
      expect(services.calls.map(({ path }) => path)).to.include('/');
      const events = await timelineOf(world, incidentId);
      const paged = events.filter(({ type }) => type === 'paged').map(({ detail }) => detail['people'] as object[]);
      expect(paged[0]![0]).to.deep.include({
        channels: ['ntfy'],
        later: [
          { channel: 'email', after: 'PT5M' },
          { channel: 'voice', after: 'PT15M' },
          { channel: 'sms', after: 'PT30M' },
        ],
      });
      expect(paged.map(([person]) => (person as { channels: string[] }).channels)).to.deep.equal(
        ['ntfy', 'email', 'ntfy', 'voice', 'email', 'email'].map((channel) => [channel]),
      );
      const notified = events.filter(({ type, detail }) => type === 'notified' && detail['channel'] === 'ntfy');
      expect(notified.map(({ detail }) => detail['destination'])).to.deep.equal(
        Array.from({ length: 2 }, () => `${services.url}/***e5F6`),
      );
      const url = services.calls.find(({ body }) => body.includes('acknowledge'))!;
      expect(JSON.parse(url.body)).to.deep.include({ topic: 'ann-a1B2c3D4e5F6' });
    });

    it('are refused where they leave the only person on call without a way to be paged, unless it is forced', async () => {
      await method(ann, topic());
      await prefer(ann, { rules: [{ after: 'PT0S', channel: 'ntfy' }] });
      const refused = await change({ contactMethods: [] });
      expect([refused.status, refused.body.error]).to.deep.equal([409, 'would_be_unreachable']);
      expect((await change({ notificationPreferences: { rules: [] } })).status).to.equal(409);
      expect((await ann.api('GET', me())).body.contactMethods, 'nothing changed').to.have.length(1);
      const forced = await ann.api('PATCH', `${me()}?force=true`, { contactMethods: [] });
      expect(forced.body.contactMethods).to.deep.equal([]);
      await create(world.api, `/api/v1/teams/${teamId}/schedule`, { participants: [ann.userId, lea.userId] }, 'PUT');
      expect((await change({ notificationPreferences: { rules: [] } })).status, 'not alone').to.equal(200);
    });

    it('send no page to who has left or was suspended, or by what was removed, and each is on the timeline', async () => {
      const url = `/api/v1/workspaces/${world.workspaceId}/members`;
      await method(ann, topic());
      await prefer(ann, { rules: ['ntfy', 'email'].map((channel) => ({ after: 'PT0S', channel })) });
      await create(world.api, `/api/v1/teams/${teamId}/escalation-policies`, {
        name: 'All',
        steps: [{ after: 'PT0S', targets: [ann, lea].map(({ userId: id }) => ({ type: 'user', id })) }],
      });
      const incidentId = await start();
      expect(await pagesOf(incidentId, ann)).to.have.members(['0 ntfy', '0 email']);
      await ann.api('PATCH', `${me()}?force=true`, { contactMethods: [] });
      await world.api('DELETE', `${url}/${lea.memberId}`);
      await app.sql(`UPDATE workspace_member SET status = 'suspended' WHERE user_id = $1 AND workspace_id = $2`, [
        ann.userId,
        world.workspaceId,
      ]);
      services.calls.length = 0;
      await app.plane.delivery.runDue();
      const sent = await app.sql(
        `SELECT 1 FROM delivery WHERE workspace_id = $1 AND purpose LIKE 'page:%' AND state <> 'cancelled'`,
        [world.workspaceId],
      );
      expect(sent).to.deep.equal([]);
      expect(services.calls).to.deep.equal([]);
      const failed = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notification_failed');
      expect(failed.map(({ detail }) => [detail['channel'], detail['answer']])).to.have.deep.members([
        ['ntfy', GONE],
        ['email', GONE],
        ['email', GONE],
      ]);
    });

    it('end with the acknowledgement, and page nobody twice whom two teams would page', async () => {
      await prefer(ann, { rules: [{ after: 'PT3M', channel: 'email' }] });
      const other = (await create(world.api, '/api/v1/teams', { name: 'Shop' })).id;
      await create(world.api, `/api/v1/teams/${other}/members`, { userId: ann.userId, teamRole: 'lead' });
      const serviceGroupId = (await create(world.api, '/api/v1/service-group', { name: 'Shop' })).id;
      for (const team of [teamId, other])
        await create(world.api, `/api/v1/teams/${team}/service-groups/${serviceGroupId}`, undefined, 'PUT');
      await create(world.api, `/api/v1/monitor/${monitorId}`, { serviceGroupId }, 'PUT');
      const incidentId = await start();
      await work();
      expect(await reminders(), 'of two teams').to.equal(2);
      await later(3);
      await work();
      expect(await pagesOf(incidentId, ann)).to.deep.equal(['3 email']);
      await later(7);
      expect(await reminders()).to.equal(1);
      await create(lea.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
      expect(await reminders()).to.equal(0);
      await later(60);
      expect(await pagesOf(incidentId, ann)).to.have.length(1);
    });

    it('are followed for each team: one that goes on to page others ends nothing that another one wants', async () => {
      await prefer(ann, { rules: [{ after: 'PT3M', channel: 'email' }] });
      const other = (await create(world.api, '/api/v1/teams', { name: 'Shop' })).id;
      await create(world.api, `/api/v1/teams/${other}/members`, { userId: ann.userId, teamRole: 'lead' });
      const serviceGroupId = (await create(world.api, '/api/v1/service-group', { name: 'Shop' })).id;
      for (const team of [teamId, other])
        await create(world.api, `/api/v1/teams/${team}/service-groups/${serviceGroupId}`, undefined, 'PUT');
      await create(world.api, `/api/v1/monitor/${monitorId}`, { serviceGroupId }, 'PUT');
      const steps = [ann, lea].map(({ userId: id }, place) => ({
        after: `PT${place}M`,
        targets: [{ type: 'user', id }],
      }));
      for (const team of [teamId, other])
        await create(world.api, `/api/v1/teams/${team}/escalation-policies`, { name: 'All', steps });
      const incidentId = await start();
      const [first] = await app.sql<{ id: string }>('SELECT team_id AS id FROM page_reminder WHERE incident_id = $1', [
        incidentId,
      ]);
      await app.sql(`UPDATE incident_paging SET due_at = due_at + interval '1 hour' WHERE team_id <> $1`, [first!.id]);
      await later(1);
      await later(2);
      expect(await pagesOf(incidentId, ann)).to.deep.equal(['3 email']);
    });

    it('are sent although a step, or a message of another workspace, fails', async () => {
      await prefer(ann, { rules: [{ after: 'PT2M', channel: 'email' }] });
      const own = await start();
      const foreign = await makeWorld(app);
      const eve = await foreign.member('Responder');
      const rules = [{ after: 'PT1M', channel: 'email' }];
      const mine = `/api/v1/workspaces/${foreign.workspaceId}/members/me`;
      await create(eve.api, mine, { notificationPreferences: { rules } }, 'PATCH');
      const team = (await create(foreign.api, '/api/v1/teams', { name: 'Web' })).id;
      const steps = ['PT0S', 'PT2M'].map((after) => ({ after, targets: [{ type: 'user', id: eve.userId }] }));
      await create(foreign.api, `/api/v1/teams/${team}/escalation-policies`, { name: 'All', steps });
      const theirs = (await seedMonitor(foreign)).id;
      await create(foreign.api, `/api/v1/monitor/${theirs}`, { teamId: team }, 'PUT');
      const stuck = await openIncident(foreign, theirs);
      await work();
      await app.sql(`CREATE FUNCTION refuse_page() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NEW.incident_id = '${stuck}' THEN RAISE EXCEPTION 'refused'; END IF; RETURN NEW; END $$`);
      await app.sql(
        'CREATE TRIGGER refuse_page BEFORE INSERT ON incident_event FOR EACH ROW EXECUTE FUNCTION refuse_page()',
      );
      try {
        app.clock.advance(2 * MINUTE_MS);
        expect(await Promise.resolve(work()).then(String, String)).to.include('refused');
        expect(await pagesOf(own, ann)).to.deep.equal(['2 email']);
      } finally {
        await app.sql('DROP TRIGGER refuse_page ON incident_event; DROP FUNCTION refuse_page()');
      }
      await work();
      expect(await pagesOf(stuck, eve)).to.not.deep.equal([]);
    });

    it('report on the timeline who has left before a later message', async () => {
      await prefer(ann, { rules: [{ after: 'PT2M', channel: 'email' }] });
      const incidentId = await start();
      const status = (value: string) =>
        app.sql('UPDATE workspace_member SET status = $3 WHERE workspace_id = $1 AND user_id = $2', [
          world.workspaceId,
          ann.userId,
          value,
        ]);
      await status('suspended');
      await later(2);
      await status('active');
      const failed = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notification_failed');
      expect(failed.map(({ detail }) => detail['reason'])).to.deep.equal([
        'A person to page by a rule is no active member of the workspace any more.',
      ]);
    });

    it('report on the timeline what could not be sent, and send nothing to what was removed', async () => {
      await method(ann, topic());
      await prefer(ann, {
        rules: [
          { after: 'PT0S', channel: 'ntfy' },
          { after: 'PT2M', channel: 'ntfy' },
          { after: 'PT2M', channel: 'email' },
        ],
      });
      const incidentId = await start();
      await create(ann.api, `${me()}?force=true`, { contactMethods: [] }, 'PATCH');
      services.calls.length = 0;
      await app.plane.delivery.runDue();
      await later(2);
      await app.plane.delivery.runDue();
      expect(services.calls.filter(({ path }) => path === '/')).to.deep.equal([]);
      const failed = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notification_failed');
      expect(failed.map(({ detail }) => detail['reason'] ?? detail['answer'])).to.deep.equal([
        'The person has removed this contact method.',
        `The ${ann.sub} could not be paged by a rule: nothing can be sent by ntfy any more.`,
      ]);
      expect(await pagesOf(incidentId, ann)).to.deep.equal(['0 ntfy', '2 email']);
    });
  });
});
