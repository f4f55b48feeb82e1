import { expect } from 'chai';
import { issueEvidenceLinks } from '@watchpost/control-plane/capabilities/delivery/index';
import { startTestApp, type TestApp } from '../../support/app.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { change, openIncident, seedGroup, seedHook, seedWatched } from '../../support/seed-alerts.js';

describe('The links from messages to the evidence', () => {
  let app: TestApp;
  let world: World;
  let hook: WebhookReceiver;
  let slack: WebhookReceiver;
  let teams: WebhookReceiver;
  let twilio: WebhookReceiver;

  before(async () => {
    [hook, slack, teams, twilio] = await Promise.all([
      startWebhookReceiver(),
      startWebhookReceiver(),
      startWebhookReceiver(),
      startWebhookReceiver(),
    ]);
    twilio.always(answer(201, { 'content-type': 'application/json' }, '{"sid":"SM1","status":"queued"}'));
    app = await startTestApp({
      env: {
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        TWILIO_ACCOUNT_SID: 'AC123',
        TWILIO_AUTH_TOKEN: 's3cr3t',
        TWILIO_FROM: '+15005550006',
        TWILIO_API_URL: twilio.url,
      },
    });
  });
  after(async () => {
    await app?.stop();
    await Promise.all([hook, slack, teams, twilio].map((receiver) => receiver?.stop()));
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    for (const { calls } of [hook, slack, teams, twilio]) calls.length = 0;
    await app.sql('DELETE FROM local_mail');
  });

  const run = () => app.plane.delivery.runDue();
  const mails = () =>
    app.sql<{ recipient: string; text: string; html: string }>(
      'SELECT recipient, text, html FROM local_mail ORDER BY id',
    );
  const texts = () => twilio.calls.map(({ body }) => new URLSearchParams(body).get('Body')!);
  const linkOf = (incidentId: string, channel: 'email' | 'sms' | 'webhook' | 'slack' | 'teams') =>
    app.db.transaction(
      async (tx) => (await issueEvidenceLinks(app, tx, [{ workspaceId: world.workspaceId, incidentId, channel }]))[0],
    );

  it('are in the messages of every channel and open the evidence', async () => {
    const groups = [
      await seedGroup(world, 'email', { recipients: ['ann@example.test'] }),
      await seedGroup(world, 'slack', { webhookUrl: slack.url }),
      await seedGroup(world, 'teams', { webhookUrl: teams.url }),
      await seedHook(world, hook.url),
    ];
    const monitorId = await seedWatched(world, ...groups.map(({ id }) => id));
    await create(world.api, `/api/v1/monitor/${monitorId}/sms-action-group`, {
      name: 'Phones',
      phoneNumbers: ['+353871234567'],
    });
    const incidentId = await openIncident(world, monitorId);
    await run();
    const linkBy = async (channel: Parameters<typeof linkOf>[1]) => (await linkOf(incidentId, channel))!;

    const [mail] = await mails();
    expect(mail!.text.split('\n')).to.include(`See the evidence: ${await linkBy('email')}`);
    expect(mail!.html).to.include(`<a href="${await linkBy('email')}">See the evidence</a>`);
    expect(mail!.text, 'no link that takes a token').to.not.include('/api/v1/');
    expect(texts()[0]).to.match(/refused the connection\..* Evidence: http\S+$/);
    expect(texts()[0]!.endsWith(await linkBy('sms'))).to.equal(true);
    expect(texts()[0]!.length).to.be.at.most(306);
    const [button] = JSON.parse(slack.calls[0]!.body).blocks.at(-1).elements;
    expect([button.text.text, button.url]).to.deep.equal(['See the evidence', await linkBy('slack')]);
    const [action] = JSON.parse(teams.calls[0]!.body).attachments[0].content.actions;
    expect(action).to.deep.equal({ type: 'Action.OpenUrl', title: 'See the evidence', url: await linkBy('teams') });
    const link = await linkBy('webhook');
    expect(JSON.parse(hook.calls[0]!.body).data.incident).to.include({ id: incidentId, evidenceUrl: link });

    const page = await fetch(link);
    expect(page.status).to.equal(200);
    expect(await page.text()).to.include('<h1>Shop is down</h1>');
  });

  it('stay the same while the incident lasts, and at every attempt', async () => {
    const { id } = await seedHook(world, hook.url);
    const incidentId = await openIncident(world, await seedWatched(world, id));
    hook.next(answer(500));
    await run();
    app.clock.advance(6_000);
    await change(world, incidentId, { kind: 'recover' });
    await run();
    const links = hook.calls.map(({ body }) => JSON.parse(body).data.incident.evidenceUrl);
    const link = await linkOf(incidentId, 'webhook');
    expect(links).to.deep.equal([link, link, link]);
    expect(hook.calls[0]!.body).to.equal(hook.calls[1]!.body);
    expect(await (await fetch(links[2])).text()).to.include('Shop was down');
  });

  it('are listed and revoked together, and later messages contain new ones', async () => {
    const { id } = await seedHook(world, hook.url);
    const mail = await seedGroup(world, 'email', { recipients: ['ann@example.test'] });
    const incidentId = await openIncident(world, await seedWatched(world, id, mail.id));
    await openIncident(world, await seedWatched(world, id));
    await run();
    const path = `/api/v1/incident/${incidentId}/evidence-links`;
    const { body: listed, headers } = await world.api<{ id: string; channel: string; expiresAt: null }[]>('GET', path);
    expect(listed.map(({ channel }) => channel)).to.have.members(['email', 'webhook']);
    expect(headers.get('x-total-count')).to.equal('2');
    expect(listed.every(({ expiresAt }) => expiresAt === null)).to.equal(true);
    const linksIn = () =>
      hook.calls.map(({ body }) => JSON.parse(body).data.incident).map((incident) => incident.evidenceUrl as string);
    const [former, ofOther] = linksIn();
    expect((await fetch(former!)).status).to.equal(200);

    const responder = (await world.member('Responder')).api;
    const viewer = (await world.member('Viewer')).api;
    expect((await viewer('GET', path)).status).to.equal(403);
    expect((await viewer('DELETE', path)).status).to.equal(403);
    expect((await (await makeWorld(app)).api('DELETE', path)).status).to.equal(404);
    expect((await responder('DELETE', path)).status).to.equal(204);
    expect((await fetch(former!)).status).to.equal(404);
    expect((await fetch(ofOther!)).status, 'those of another incident still work').to.equal(200);
    expect((await world.api('GET', path)).body).to.deep.equal([]);
    expect((await responder('DELETE', path)).status).to.equal(404);

    await change(world, incidentId, { kind: 'recover' });
    await run();
    const later = linksIn().at(-1)!;
    expect(later).to.not.equal(former);
    expect((await fetch(later)).status).to.equal(200);
    const { body: again } = await world.api<{ channel: string; expiresAt: string }[]>('GET', path);
    expect(again.map(({ channel }) => channel)).to.have.members(['email', 'webhook']);
    expect(Date.parse(again[0]!.expiresAt) - app.clock.now()).to.equal(30 * 24 * 3_600_000);
    const [entry] = (
      await world.api<{ action: string; changes: object }[]>(
        'GET',
        `/api/v1/workspaces/${world.workspaceId}/audit?action=incident.evidence_links_revoked`,
      )
    ).body;
    expect(entry).to.deep.include({ action: 'incident.evidence_links_revoked' });
  });

  it('are missing in tests and in messages that are not about an incident', async () => {
    const { id } = await seedHook(world, hook.url);
    const mail = await seedGroup(world, 'email', { recipients: ['ann@example.test'] });
    await seedWatched(world, id, mail.id);
    for (const groupId of [id, mail.id]) await create(world.api, `/api/v1/action-groups/${groupId}/test`);
    expect(JSON.parse(hook.calls[0]!.body).data.incident).to.equal(null);
    expect(JSON.stringify(await mails())).to.not.include('evidence');
  });

  it('are in pages beside the link that acknowledges, and acknowledge nothing', async () => {
    const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
    const { id: teamId } = await create(world.api, '/api/v1/teams', { name: 'Web' });
    const ann = await world.member('Responder');
    const me = `/api/v1/workspaces/${world.workspaceId}/members/me`;
    await create(ann.api, me, { notificationPreferences: { sms: true, phoneNumber: '+353871234567' } }, 'PATCH');
    await create(world.api, `/api/v1/teams/${teamId}/members`, { userId: ann.userId, teamRole: 'member' });
    const plan = { rotation: 'daily', startDate: '2026-11-01', participants: [ann.userId] };
    await create(world.api, `/api/v1/teams/${teamId}/schedule`, plan, 'PUT');
    await create(world.api, `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`, undefined, 'PUT');
    const incidentId = await openIncident(world, (await seedMonitor(world, { serviceGroupId })).id);
    await app.plane.periodicTasks.find(({ name }) => name === 'page_due')!.run();
    await run();
    const [mail] = await mails();
    const lines = mail!.text.split('\n').filter((line) => line.includes('://'));
    expect(lines.map((line) => line.split(': ')[0]).slice(-2)).to.deep.equal(['Acknowledge', 'See the evidence']);
    expect(texts()[0]).to.match(/ Evidence: http\S+\/incident\/\S+ Acknowledge: http\S+\/ack\/\S+$/);
    const link = (await linkOf(incidentId, 'email'))!;
    await fetch(link);
    await fetch(link, { method: 'POST' });
    expect((await world.api('GET', `/api/v1/incident/${incidentId}`)).body.acknowledged).to.equal(false);
  });

  it('are not in the answers of REST, which contain the evidence itself', async () => {
    const incidentId = await openIncident(world, await seedWatched(world));
    const { body } = await world.api('GET', `/api/v1/incident/${incidentId}`);
    expect(body).to.have.property('context');
    expect(JSON.stringify(body)).to.not.include('/incident/');
  });

  it('are not on the status page', async () => {
    const { id } = await seedMonitor(world);
    const slug = `acme-${Date.now()}`;
    const systems = [{ name: 'Shop', monitorId: id }];
    await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug,
      isPublished: true,
      notifyIncidents: true,
      groups: [{ name: 'Sites', systems }],
    });
    const path = `/api/v1/public/status-page/${slug}/subscribers`;
    expect((await app.anonymous('POST', path, { email: 'visitor@example.test' })).status).to.equal(202);
    await run();
    const confirm = /https?:\/\/\S+\/confirm\?token=\S+/.exec((await mails())[0]!.text)![0];
    expect((await fetch(confirm, { method: 'POST' })).status).to.equal(200);
    await openIncident(world, id);
    app.clock.advance(60_000);
    for (let round = 0; round < 2; round++)
      for (const repeated of app.plane.periodicTasks.filter(({ name }) => name.startsWith('notify_subscribers')))
        await repeated.run();
    await run();
    const page = await (await fetch(`${app.baseUrl}/status/${slug}`)).text();
    expect(await mails(), 'a confirmation, and the outage').to.have.length(2);
    expect(JSON.stringify(await mails()) + page)
      .to.include('Shop')
      .and.to.not.match(/\/incident\/[\w-]{20}/);
  });
});
