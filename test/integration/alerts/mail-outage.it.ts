import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { enqueueMail } from '@watchpost/control-plane/capabilities/alerts/index';
import { MAX_SERVER_WAIT_MS } from '@watchpost/control-plane/capabilities/alerts/delivery/decide-retry';
import { startTestApp, type TestApp } from '../../support/app.js';
import { freePort } from '../../support/free-port.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { makeWorld, type World } from '../../support/seed.js';
import { deliveriesOf, openIncident, seedGroup, seedWatched } from './seed-alerts.js';

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
