import { expect } from 'chai';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { BROKEN } from '../integration/results/seed.js';
import type { World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { answer } from '../support/webhook-receiver.js';
import { acknowledgeLinkIn, breakDown, type Person, repair, type Site, startStage, timelineOf } from './stage.js';

describe('paging the person on call', () => {
  const stage = startedForSuite(() => startStage());
  let world: World;
  let site: Site;
  let ann: Person;
  let bob: Person;
  let lead: Person;

  beforeEach(async () => {
    world = await stage.newWorld();
    ann = await stage.join(world, 'ann', { hasPhone: true });
    bob = await stage.join(world, 'bob');
    lead = await stage.join(world, 'lead', { hasPhone: true });
    site = await stage.watch(world);
  });

  /** The first person's turn began yesterday at nine, so that the second person is on call today. */
  const annIsOnCall = () => stage.routeTo(world, site, { turns: [bob, ann], leads: [lead] });
  const heard = () => [ann, bob, lead].map((person) => stage.heard(person));
  const visit = (link: string, method = 'GET') =>
    fetch(link, { method, headers: { accept: 'text/html' }, redirect: 'error' });

  it('an outage pages the person on call at once and after ten minutes, and the leads after twenty', async () => {
    await annIsOnCall();
    await stage.pass(3 * MINUTE_MS, site);
    expect(heard(), 'nobody is paged without an outage').to.deep.equal([0, 0, 0]);

    const incidentId = await breakDown(stage, world, site);
    expect(heard()).to.deep.equal([2, 0, 0]);
    const [mail] = stage.mails(ann.email);
    expect(mail!.subject).to.equal('Down: Shop');
    expect(mail!.text).to.include('You are on call for Night watch.').and.to.include('answered with status 500');
    const evidence = /^See the evidence: (http\S+)$/m.exec(mail!.text)![1]!;
    const page = await (await visit(evidence)).text();
    expect(page).to.include('Shop is down').and.to.include('answered with status 500').and.not.include('<form');
    expect(stage.texts(ann.phone!)[0]!.text).to.match(/^Watchpost: Down: Shop\. .* Acknowledge: http/);

    await stage.pass(10 * MINUTE_MS - SECOND_MS, site);
    expect(heard()).to.deep.equal([2, 0, 0]);
    await stage.pass(SECOND_MS, site);
    expect(heard()).to.deep.equal([4, 0, 0]);
    expect(stage.mails(ann.email)[1]!.text).to.include('nobody has acknowledged this for 10 minutes');

    await stage.pass(10 * MINUTE_MS - SECOND_MS, site);
    expect(heard()).to.deep.equal([4, 0, 0]);
    await stage.pass(SECOND_MS, site);
    expect(heard()).to.deep.equal([4, 0, 2]);
    expect(stage.mails(lead.email)[0]!.text).to.include(
      'You lead Night watch, and nobody has acknowledged this for 20 minutes.',
    );

    await stage.pass(HOUR_MS, site);
    expect(heard(), 'everybody is paged').to.deep.equal([4, 0, 2]);

    await repair(stage, site);
    expect(heard(), 'everybody who was paged is notified of the recovery').to.deep.equal([6, 0, 4]);
    expect(stage.mails(ann.email)[2]!.subject).to.equal('Recovered: Shop');
    expect(stage.texts(lead.phone!)[1]!.text).to.include('Recovered: Shop');
    expect(stage.mails(ann.email)[2]!.text).not.to.include('/ack/');

    const events = (await timelineOf(world, incidentId)).filter(({ type }) =>
      /^(opened|paged|recovered|closed)$/.test(type),
    );
    const startMs = Date.parse(events[0]!.at);
    const minutes = (at: string) => (Date.parse(at) - startMs) / MINUTE_MS;
    expect(events.map(({ type, at }) => [type, minutes(at)])).to.deep.equal([
      ['opened', 0],
      ['paged', 0],
      ['paged', 10],
      ['paged', 20],
      ['recovered', 81],
      ['closed', 81],
    ]);
    expect(events[3]!.detail).to.deep.include({ step: 2, who: 'leads', team: 'Night watch' });
    expect(events[3]!.detail.people).to.deep.equal([
      { userId: lead.userId, name: `The ${lead.sub}`, channels: ['email', 'sms'] },
    ]);
    const notified = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notified');
    expect(notified.map(({ detail }) => detail.channel)).to.have.length(10);
    expect(JSON.stringify(notified), 'the timeline contains no phone number').not.to.include(ann.phone!);
  });

  it('an acknowledgement by the link ends the pages, and reading the link does not acknowledge', async () => {
    await annIsOnCall();
    const incidentId = await breakDown(stage, world, site);
    const link = acknowledgeLinkIn(stage.mails(ann.email)[0]!.text);
    expect(stage.mails(ann.email)[0]!.html, 'the same link').to.include(link);
    const inText = acknowledgeLinkIn(stage.texts(ann.phone!)[0]!.text);
    const state = async () => {
      const { acknowledged, acknowledgedBy } = (await world.api('GET', `/api/v1/incident/${incidentId}`)).body;
      return { acknowledged, acknowledgedBy };
    };

    for (let scan = 0; scan < 3; scan++) {
      const page = await visit(link);
      expect(page.status).to.equal(200);
      expect(page.headers.get('cache-control')).to.include('no-store');
      expect(await page.text()).to.match(/<form method="post"[^]*Acknowledge/);
    }
    await visit(link, 'HEAD');
    expect(await state(), 'a link scanner does not acknowledge').to.deep.include({ acknowledged: false });

    await stage.pass(9 * MINUTE_MS, site);
    expect((await visit(link, 'POST')).status).to.equal(200);
    expect(await state()).to.deep.equal({ acknowledged: true, acknowledgedBy: ann.userId });
    const count = heard();
    await stage.pass(HOUR_MS, site);
    expect(heard(), 'the pages have ended').to.deep.equal(count);

    const again = await visit(link, 'POST');
    expect(again.status, 'the link works once').to.equal(404);
    expect(again.headers.get('content-type'), 'the refusal is a page for people').to.match(/^text\/html/);
    expect(await (await visit(inText)).text(), 'the link of the other message has no button left').not.to.include(
      '<form',
    );
    const acknowledged = (await timelineOf(world, incidentId)).find(({ type }) => type === 'acknowledged')!;
    expect(acknowledged.detail).to.deep.include({ via: 'page' });
    await repair(stage, site);
    expect(stage.mails(ann.email).at(-1)!.subject).to.equal('Recovered: Shop');
    expect(stage.heard(lead), 'the lead, who was never paged, is not notified').to.equal(0);
  });

  it('the link of a page is refused when forged, after twelve hours, and when its reader lost the right', async () => {
    await annIsOnCall();
    const incidentId = await breakDown(stage, world, site);
    const link = acknowledgeLinkIn(stage.mails(ann.email)[0]!.text);
    expect((await visit(`${link.slice(0, -2)}xx`, 'POST')).status).to.equal(404);
    const members = `/api/v1/workspaces/${world.workspaceId}/members/${ann.memberId}`;
    await create(members, { role: 'Viewer' });
    expect((await visit(link, 'POST')).status).to.equal(403);
    await create(members, { role: 'Responder' });
    await create(members, { status: 'suspended' });
    expect((await visit(link, 'POST')).status).to.equal(403);
    await create(members, { status: 'active' });
    stage.app.clock.advance(12 * HOUR_MS);
    expect((await visit(link, 'POST')).status).to.equal(404);
    expect((await world.api('GET', `/api/v1/incident/${incidentId}`)).body.acknowledged).to.equal(false);
  });

  async function create(path: string, body: object): Promise<void> {
    expect((await world.api('PATCH', path, body)).status).to.equal(200);
  }

  it('an acknowledgement that is taken back starts the pages again', async () => {
    await annIsOnCall();
    const incidentId = await breakDown(stage, world, site);
    await ann.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
    await stage.pass(30 * MINUTE_MS, site);
    expect(heard()).to.deep.equal([2, 0, 0]);
    await ann.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: false });
    await stage.work();
    expect(heard()).to.deep.equal([4, 0, 0]);
    await stage.pass(10 * MINUTE_MS, site);
    expect(heard()).to.deep.equal([6, 0, 0]);
    await stage.pass(10 * MINUTE_MS, site);
    expect(heard()).to.deep.equal([6, 0, 2]);
  });

  it('an override pages the substitute until the override ends', async () => {
    const path = await annIsOnCall();
    const now = stage.app.clock.now();
    const swap = {
      userId: bob.userId,
      start: new Date(now - HOUR_MS).toISOString(),
      end: new Date(now + HOUR_MS).toISOString(),
    };
    expect((await world.api('POST', `${path}/schedule/overrides`, swap)).status).to.equal(201);
    await breakDown(stage, world, site);
    expect(heard()).to.deep.equal([0, 1, 0]);
    await repair(stage, site);
    expect(heard()).to.deep.equal([0, 2, 0]);

    stage.app.clock.set(now + HOUR_MS - 5 * MINUTE_MS);
    await breakDown(stage, world, site);
    expect(heard()).to.deep.equal([0, 3, 0]);
    await stage.pass(10 * MINUTE_MS, site);
    expect(heard(), 'the override has ended, so the second page goes to the person on call').to.deep.equal([2, 3, 0]);
    await repair(stage, site);
    expect(heard()).to.deep.equal([4, 4, 0]);
  });

  it('a suspended member is skipped, and the leads are paged at once if nobody in the rotation is left', async () => {
    await annIsOnCall();
    const suspend = (who: Person) =>
      create(`/api/v1/workspaces/${world.workspaceId}/members/${who.memberId}`, { status: 'suspended' });
    await suspend(ann);
    await breakDown(stage, world, site);
    expect(heard()).to.deep.equal([0, 1, 0]);
    await repair(stage, site);
    await suspend(bob);
    const count = heard();
    const incidentId = await breakDown(stage, world, site);
    expect(heard()).to.deep.equal([count[0], count[1], count[2]! + 2]);
    const types = (await timelineOf(world, incidentId)).map(({ type, detail }) => [type, detail.who]);
    expect(types, 'the timeline contains the reason').to.deep.include.members([
      ['notification_failed', 'onCall'],
      ['paged', 'leads'],
    ]);
  });

  it('where neither mail nor SMS can be sent, the timeline states who was tried by what and why not', async () => {
    await annIsOnCall();
    stage.mailServer.refuseAll({ code: 550, message: 'no such mailbox' });
    stage.carrier.next(answer(400, {}, '{"code":21610,"message":"Unsubscribed"}'));
    try {
      const incidentId = await breakDown(stage, world, site);
      const timeline = await timelineOf(world, incidentId);
      const [paged] = timeline.filter(({ type }) => type === 'paged');
      expect(paged!.detail.people).to.deep.equal([
        { userId: ann.userId, name: `The ${ann.sub}`, channels: ['email', 'sms'] },
      ]);
      const failed = timeline.filter(({ type }) => type === 'notification_failed').map(({ detail }) => detail);
      expect(failed.map(({ channel, purpose }) => [channel, purpose])).to.have.deep.members(
        ['email', 'sms'].map((channel) => [channel, `page:0:${ann.userId}`]),
      );
      expect(failed.find(({ channel }) => channel === 'email')!['answer']).to.include('550');
      expect(failed.find(({ channel }) => channel === 'sms')!['answer']).to.match(/Unsubscribed|21610|400/);
    } finally {
      stage.mailServer.refuseAll(null);
    }
    await stage.pass(20 * MINUTE_MS, site);
    expect(heard()[2], 'and the next steps come').to.be.greaterThan(0);
  });

  it('quiet hours delay a recovery message but no page', async () => {
    await annIsOnCall();
    const quietHours = { start: '22:00', end: '07:00', timezone: 'Europe/Berlin' };
    const me = `/api/v1/workspaces/${world.workspaceId}/members/me`;
    expect((await ann.api('PATCH', me, { notificationPreferences: { quietHours } })).status).to.equal(200);
    stage.app.clock.set(Date.UTC(2026, 10, 21, 23));
    await breakDown(stage, world, site);
    expect(heard(), 'the page is sent in quiet hours').to.deep.equal([2, 0, 0]);
    await repair(stage, site);
    expect(heard(), 'the recovery message waits').to.deep.equal([2, 0, 0]);
  });

  it('a person who is on call for several teams is paged once, also with several workers at a time', async () => {
    await annIsOnCall();
    await stage.routeTo(world, site, { turns: [bob, ann], leads: [ann, lead], name: 'Day watch' });
    site.answers = BROKEN;
    stage.app.clock.advance(SECOND_MS);
    await stage.file(site);
    const paging = stage.app.plane.periodicTasks.find(({ name }) => name === 'page_due')!;
    await Promise.all(Array.from({ length: 4 }, async () => paging.run()));
    await Promise.all([stage.work(), stage.work()]);
    expect(heard()).to.deep.equal([2, 0, 0]);
    await stage.pass(10 * MINUTE_MS, site);
    expect(heard()).to.deep.equal([4, 0, 0]);
    await stage.pass(10 * MINUTE_MS, site);
    expect(heard(), 'paged as the lead of the second team').to.deep.equal([6, 0, 2]);
    await repair(stage, site);
    expect(heard()).to.deep.equal([8, 0, 4]);
  });

  it('an open incident that fails again starts its pages again', async () => {
    const settings = { settings: { autoCloseIncidents: false } };
    expect((await world.api('PATCH', `/api/v1/workspaces/${world.workspaceId}`, settings)).status).to.equal(200);
    await annIsOnCall();
    const incidentId = await breakDown(stage, world, site);
    await repair(stage, site);
    expect(stage.mails(ann.email).map(({ subject }) => subject)).to.deep.equal(['Down: Shop', 'Recovered: Shop']);
    await stage.pass(30 * MINUTE_MS, site);
    expect(heard()).to.deep.equal([4, 0, 0]);
    expect(await breakDown(stage, world, site), 'the same incident').to.equal(incidentId);
    expect(heard()).to.deep.equal([6, 0, 0]);
    await stage.pass(20 * MINUTE_MS, site);
    expect(heard()).to.deep.equal([8, 0, 2]);

    const path = `/api/v1/incident/${incidentId}`;
    const acknowledge = () => ann.api('PATCH', path, { acknowledged: true });
    expect((await acknowledge()).body).to.include({ acknowledged: true });
    await repair(stage, site);
    const over = heard();
    expect(await breakDown(stage, world, site), 'the same incident').to.equal(incidentId);
    expect(heard(), 'what was acknowledged is over').to.deep.equal([over[0]! + 2, over[1], over[2]]);
    expect((await world.api('GET', path)).body).to.include({ acknowledged: false, acknowledgedBy: null });
    expect((await acknowledge()).body).to.include({ acknowledged: true, status: 'Ongoing' });
    await stage.pass(20 * MINUTE_MS, site);
    expect(heard(), 'nobody else is paged').to.deep.equal([over[0]! + 2, over[1], over[2]]);
  });
});
