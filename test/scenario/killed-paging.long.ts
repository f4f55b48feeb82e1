import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { BROKEN } from '../integration/results/seed.js';
import { type FragileWork, killAtEachMoment } from '../support/kill-at-each-moment.js';
import { create, type World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { acknowledgeLinkIn, type Person, type Site, startStage, timelineOf } from './stage.js';

const KEY = randomBytes(32);
const PAGING = ['page_due', 'expire_acknowledgements'];
const SECOND_AFTER_MS = 5 * MINUTE_MS;

interface Round {
  world: World;
  first: Person;
  second: Person;
  site: Site;
}

describe('paging by a control plane that is killed between any two writes', function () {
  this.timeout(10 * 60_000);
  const stage = startedForSuite(() => startStage({ secretBox: createSecretBox(KEY) }));
  const eachMoment = (round: Parameters<typeof killAtEachMoment>[1]) =>
    killAtEachMoment({ app: stage.app, env: stage.env, key: KEY.toString('hex') }, round);

  /** A site that fails, with a team of two, of whom the second is paged five minutes after the first. */
  async function newRound(ackTimeout: string | null = null): Promise<Round> {
    const world = await stage.newWorld();
    const first = await stage.join(world, 'first', { hasPhone: true });
    const second = await stage.join(world, 'second');
    const site = await stage.watch(world);
    const team = await stage.routeTo(world, site, { turns: [first, second] });
    const stepOf = ({ userId: id }: Person, afterMs: number) => ({
      after: `PT${afterMs / MINUTE_MS}M`,
      targets: [{ type: 'user', id }],
    });
    const steps = [stepOf(first, 0), stepOf(second, SECOND_AFTER_MS)];
    await create(world.api, `${team}/escalation-policies`, { name: 'Two', steps, ackTimeout });
    return { world, first, second, site };
  }

  async function breakSite({ world, site }: Round): Promise<string> {
    site.answers = BROKEN;
    stage.app.clock.advance(1_000);
    await stage.file(site);
    const { body } = await world.api('GET', `/api/v1/incident?monitorId=${site.id}&isClosed=false`);
    expect(body).to.have.length(1);
    return body[0].id as string;
  }

  /** Another process goes on, when the killed one's claims on deliveries have expired. */
  async function goOn(): Promise<void> {
    stage.app.clock.advance(MINUTE_MS);
    await workOn();
  }

  async function workOn({ sends = true } = {}): Promise<void> {
    for (const { name, run } of stage.app.plane.periodicTasks) if (PAGING.includes(name)) await run();
    if (sends) await stage.app.plane.delivery.runDue();
  }

  async function hourPasses(): Promise<void> {
    for (let part = 0; part < 4; part++) {
      stage.app.clock.advance(15 * MINUTE_MS);
      await workOn();
    }
  }

  const idsOf = (person: Person) =>
    stage.mailServer.mails.filter(({ to }) => to.includes(person.email)).map(({ headers }) => idOf(headers));
  const idOf = (headers: Record<string, string>) => headers['message-id']!.replace(/^<|@.*/g, '');
  const countOf = async (world: World, incidentId: string) => {
    const counts: Record<string, number> = {};
    for (const { type } of await timelineOf(world, incidentId)) counts[type] = (counts[type] ?? 0) + 1;
    return counts;
  };
  const acknowledge = (person: Person, incidentId: string) =>
    create(person.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
  it('pages each person once for each step, and after the acknowledgement nobody', async () => {
    const moments = await eachMoment(async (work, killAt) => {
      const round = await newRound();
      const { world, first, second } = round;
      const at = `killed at moment ${killAt}`;
      const incidentId = await breakSite(round);
      const killed = await work({ tasks: PAGING });
      const before = { mails: idsOf(first).length, texts: stage.texts(first.phone!).length };
      await goOn();
      expect(new Set(idsOf(first)).size, at).to.equal(1);
      expect(idsOf(first).length, at).to.be.at.most(1 + (killed ? before.mails : 0));
      expect(stage.texts(first.phone!).length, at).to.be.within(1, 1 + (killed ? before.texts : 0));
      expect(await countOf(world, incidentId), at).to.deep.include({ opened: 1, paged: 1, notified: 2 });
      expect(stage.heard(second), at).to.equal(0);
      stage.app.clock.advance(SECOND_AFTER_MS);
      await stage.work();
      expect(idsOf(second), at).to.have.length(1);
      await acknowledge(first, incidentId);
      const heard = [stage.heard(first), stage.heard(second)];
      await hourPasses();
      expect([stage.heard(first), stage.heard(second)], at).to.deep.equal(heard);
      expect(await countOf(world, incidentId), at).to.deep.equal({
        opened: 1,
        region_failed: 1,
        paged: 2,
        notified: 3,
        acknowledged: 1,
      });
    });
    expect(moments).to.be.above(5);
  });

  const WAYS: Record<string, (round: Round, incidentId: string) => Promise<FragileWork>> = {
    'over REST': async ({ first, world }, incidentId) => ({
      request: {
        method: 'PATCH',
        path: `/api/v1/incident/${incidentId}`,
        body: { acknowledged: true },
        headers: await stage.headersOf(first, world),
      },
    }),
    'by the link of a page': async ({ first }) => {
      const link = acknowledgeLinkIn(stage.mails(first.email)[0]!.text);
      return { request: { method: 'POST', path: new URL(link).pathname, body: {} } };
    },
  };
  for (const [way, workOf] of Object.entries(WAYS))
    it(`takes an acknowledgement ${way} wholly or not at all, and pages nobody after it`, async () => {
      const moments = await eachMoment(async (work, killAt) => {
        const round = await newRound();
        const { world, first, second } = round;
        const at = `killed at moment ${killAt}`;
        const incidentId = await breakSite(round);
        await workOn();
        stage.app.clock.advance(SECOND_AFTER_MS);
        // The page of the second person waits to be sent.
        await workOn({ sends: false });
        const killed = await work(await workOf(round, incidentId));
        const { acknowledged } = (await world.api('GET', `/api/v1/incident/${incidentId}`)).body;
        if (!killed) expect(acknowledged, at).to.equal(true);
        await goOn();
        expect(idsOf(second), at).to.have.length(acknowledged ? 0 : 1);
        if (!acknowledged) await acknowledge(first, incidentId);
        const heard = [stage.heard(first), stage.heard(second)];
        await hourPasses();
        expect([stage.heard(first), stage.heard(second)], at).to.deep.equal(heard);
        const { notified, ...others } = await countOf(world, incidentId);
        expect(others, at).to.deep.equal({ opened: 1, region_failed: 1, paged: 2, acknowledged: 1 });
        expect(notified, at).to.equal(acknowledged ? 2 : 3);
        const [page] = await stage.app.sql('SELECT state FROM delivery WHERE workspace_id = $1 AND address = $2', [
          world.workspaceId,
          second.email,
        ]);
        expect(page, at).to.deep.equal({ state: acknowledged ? 'cancelled' : 'delivered' });
      });
      expect(moments).to.be.above(1);
    });

  it('begins again once when an acknowledgement ends', async () => {
    const moments = await eachMoment(async (work, killAt) => {
      const round = await newRound('PT15M');
      const { world, first } = round;
      const at = `killed at moment ${killAt}`;
      const incidentId = await breakSite(round);
      await workOn();
      await acknowledge(first, incidentId);
      stage.app.clock.advance(15 * MINUTE_MS);
      const killed = await work({ tasks: PAGING });
      const mails = idsOf(first).length;
      await goOn();
      expect(new Set(idsOf(first)).size, at).to.equal(2);
      expect(idsOf(first).length, at).to.be.at.most(killed ? 1 + mails : 2);
      const counts = await countOf(world, incidentId);
      expect(counts, at).to.deep.equal({
        opened: 1,
        region_failed: 1,
        paged: 2,
        notified: 4,
        acknowledged: 1,
        ack_expired: 1,
      });
    });
    expect(moments).to.be.above(5);
  });

  it('sends a later message of a page once', async () => {
    const moments = await eachMoment(async (work, killAt) => {
      const round = await newRound();
      const { world, first } = round;
      const at = `killed at moment ${killAt}`;
      const rules = [
        { after: 'PT0S', channel: 'email' },
        { after: 'PT2M', channel: 'sms' },
      ];
      const path = `/api/v1/workspaces/${world.workspaceId}/members/me`;
      await create(first.api, path, { notificationPreferences: { rules } }, 'PATCH');
      const incidentId = await breakSite(round);
      await workOn();
      expect([idsOf(first).length, stage.texts(first.phone!).length]).to.deep.equal([1, 0]);
      stage.app.clock.advance(2 * MINUTE_MS);
      const killed = await work({ tasks: PAGING });
      const sent = stage.texts(first.phone!).length;
      await goOn();
      expect(stage.texts(first.phone!).length, at).to.be.within(1, killed ? 1 + sent : 1);
      expect(idsOf(first), at).to.have.length(1);
      expect(await countOf(world, incidentId), at).to.deep.include({ opened: 1, notified: 2 });
    });
    expect(moments).to.be.above(1);
  });
});
