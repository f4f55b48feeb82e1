import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { enqueueMail } from '@watchpost/control-plane/capabilities/delivery/index';
import { MAX_SERVER_WAIT_MS } from '@watchpost/control-plane/capabilities/delivery/sending/decide-retry';
import { startTestApp, type TestApp } from '../../support/app.js';
import { freePort } from '../../support/free-port.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { makeWorld, type World } from '../../support/seed.js';
import { deliveriesOf, openIncident, seedGroup, seedWatched } from '../../support/seed-alerts.js';

describe('While the mail server is down', () => {
  let app: TestApp;
  let world: World;
  let port: number;
  let server: MailServer | undefined;

  before(async () => {
    port = await freePort();
    const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'alerts@watch.example' };
    app = await startTestApp({ env });
  });
  after(() => app.stop());
  beforeEach(async () => {
    world = await makeWorld(app);
    server = undefined;
  });
  afterEach(() => server?.stop());

  const run = () => app.plane.delivery.runDue();
  const send = (count: number) =>
    app.db.transaction(async (tx) => {
      for (let index = 0; index < count; index++) {
        const mail = { to: `${index}@example.test`, subject: 'News', text: 'News', html: '<p>News</p>' };
        await enqueueMail(app, tx, world.workspaceId, mail);
      }
    });
  const mails = () =>
    app.sql<{ state: string; attempts: number; answer: string | null }>(
      'SELECT state, attempts, answer FROM outgoing_mail WHERE workspace_id = $1',
      [world.workspaceId],
    );

  it('mails wait without using up attempts, and are sent within half a minute of its return', async () => {
    const { id } = await seedGroup(world, 'email', { recipients: ['ann@example.test'] });
    await openIncident(world, await seedWatched(world, id));
    await send(40);
    await run();
    const tried = (await mails()).filter(({ answer }) => answer !== null).length;
    expect(tried, 'the others are not tried in vain').to.be.at.most(16);
    for (let minute = 0; minute < 90; minute++) {
      app.clock.advance(MINUTE_MS);
      await run();
    }
    const [delivery] = await deliveriesOf(world, id);
    expect(delivery).to.include({ state: 'waiting', attempts: 0 });
    expect(delivery!.answer).to.match(/^The mail server was not reached/);
    const rows = await mails();
    expect(rows.every(({ state, attempts }) => state === 'waiting' && attempts === 0)).to.equal(true);

    server = await startMailServer({}, port);
    app.clock.advance(30_000);
    // The first mail finds out that the server is back.
    await run();
    await run();
    app.clock.advance(30_000);
    await run();
    expect(server.mails).to.have.length(41);
  });

  describe('an alert to a mailbox in two groups of a monitor', () => {
    let monitorId: string;
    let first: string;
    let second: string;

    beforeEach(async () => {
      first = (await seedGroup(world, 'email', { recipients: ['ops@example.test', 'ann@example.test'] })).id;
      app.clock.advance(1);
      second = (await seedGroup(world, 'email', { recipients: ['OPS@example.test'] })).id;
      monitorId = await seedWatched(world, first, second);
      await openIncident(world, monitorId);
      await run();
      expect(await statesOf(first)).to.deep.equal({ 'ops@example.test': 'waiting', 'ann@example.test': 'waiting' });
      expect(await statesOf(second)).to.deep.equal({});
    });

    const statesOf = async (groupId: string) =>
      Object.fromEntries((await deliveriesOf(world, groupId)).map(({ destination, state }) => [destination, state]));
    const disable = (groupId: string) =>
      world.api('PUT', `/api/v1/action-groups/email/${groupId}`, { isEnabled: false });
    async function recover(): Promise<string[]> {
      server = await startMailServer({}, port);
      app.clock.advance(30_000);
      await run();
      app.clock.advance(30_000);
      await run();
      return server.mails.flatMap(({ to }) => to).toSorted();
    }

    const changes: Record<string, { change: () => Promise<{ status: number }>; others: string[] }> = {
      'is disabled': { change: () => disable(first), others: [] },
      'loses the address': {
        change: () => world.api('PUT', `/api/v1/action-groups/email/${first}`, { recipients: ['ann@example.test'] }),
        others: ['ann@example.test'],
      },
      'is deleted': { change: () => world.api('DELETE', `/api/v1/action-groups/${first}`), others: [] },
      'is deleted with its last monitor': {
        change: () => world.api('DELETE', `/api/v1/monitor/${monitorId}/email-action-group/${first}`),
        others: [],
      },
    };
    for (const [what, { change, others }] of Object.entries(changes))
      it(`is sent once by the second group when the first one ${what}`, async () => {
        expect((await change()).status).to.be.within(200, 299);
        expect(await recover()).to.deep.equal([...others, 'ops@example.test']);
        expect(await statesOf(second)).to.deep.equal({ 'ops@example.test': 'delivered' });
      });

    it('is cancelled when the second group is disabled or not attached to the monitor', async () => {
      await seedWatched(world, (await seedGroup(world, 'email', { recipients: ['ops@example.test'] })).id);
      await disable(first);
      await disable(second);
      expect(await recover()).to.deep.equal([]);
      expect(await statesOf(first)).to.deep.equal({ 'ops@example.test': 'cancelled', 'ann@example.test': 'cancelled' });
    });
  });

  it('a mail is given up after a day', async () => {
    await send(1);
    await run();
    app.clock.advance(MAX_SERVER_WAIT_MS - 1);
    await run();
    expect((await mails())[0]).to.include({ state: 'waiting' });
    app.clock.advance(MINUTE_MS);
    await run();
    expect((await mails())[0]).to.include({ state: 'failed' });
  });
});
