import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { enqueueMail } from '@watchpost/control-plane/capabilities/delivery/index';
import { createSmtpMailer } from '@watchpost/control-plane/platform/mail/mailer';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createAuthority } from '../../support/certificates.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { change, deliveriesOf, openIncident, seedGroup, seedWatched, timelineOf } from '../../support/seed-alerts.js';

describe('Mail', () => {
  let app: TestApp;
  let server: MailServer;
  let world: World;

  before(async () => {
    const { key, cert } = await (await createAuthority()).issue();
    server = await startMailServer({
      key,
      cert,
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) =>
        password === 's3cr3t' && username ? callback(null, { user: username }) : callback(new Error('no')),
    });
    app = await startTestApp({
      env: {
        SMTP_URL: `smtp://watchpost:s3cr3t@127.0.0.1:${server.port}?tls.rejectUnauthorized=false`,
        MAIL_FROM: 'Watchpost <alerts@watch.example>',
      },
    });
  });
  after(async () => {
    await app.stop();
    await server.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    server.mails.length = 0;
  });

  const run = () => app.plane.delivery.runDue();

  it('about an incident is sent to each recipient separately, over authenticated TLS, as text and HTML', async () => {
    const { id } = await seedGroup(world, 'email', { recipients: ['ann@example.test', 'ben@example.test'] });
    await openIncident(world, await seedWatched(world, id));
    await run();
    expect(server.mails.map(({ to }) => to)).to.have.deep.members([['ann@example.test'], ['ben@example.test']]);
    const [mail] = server.mails;
    expect(mail).to.include({ secure: true, user: 'watchpost', from: 'alerts@watch.example' });
    expect(mail!.headers).to.include({ from: 'Watchpost <alerts@watch.example>', subject: 'Down: Shop' });
    expect(mail!.headers['content-type']).to.match(/^multipart\/alternative/);
    expect(mail!.headers['auto-submitted']).to.equal('auto-generated');
    expect(mail!.raw).to.include('Content-Type: text/plain').and.to.include('Content-Type: text/html');
    expect(mail!.raw).to.include('The server at 203.0.113.7:443 refused the connection.');
    expect(mail!.raw).to.include('21 Nov 2026, 12:00 UTC').and.to.include('North Europe, Ireland');
  });

  it('to a member has a link where the incident can be acknowledged; to others it asks for nothing', async () => {
    const own = `${world.owner.sub}@example.test`;
    const { id } = await seedGroup(world, 'email', { recipients: [own, 'ann@example.test'] });
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await run();
    const link = `/console/w/${world.workspaceId}/incidents/${incidentId}`;
    const asks = (address: string) =>
      [link, 'Acknowledge the incident'].map((words) =>
        // Lines of quoted-printable end within words.
        server.mails
          .find(({ to }) => to.includes(address))!
          .raw.replace(/=\r?\n/g, '')
          .includes(words),
      );
    expect(asks(own)).to.deep.equal([true, true]);
    expect(asks('ann@example.test')).to.deep.equal([false, false]);
    server.mails.length = 0;
    await create(world.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
    await run();
    expect(asks(own), 'nothing is left to acknowledge').to.deep.equal([false, false]);
  });

  it('about one incident forms one thread, and the last one states the duration', async () => {
    const { id } = await seedGroup(world, 'email', { recipients: ['ann@example.test'] });
    const incidentId = await openIncident(world, await seedWatched(world, id));
    await run();
    app.clock.advance(125_000);
    await change(world, incidentId, { kind: 'recover' });
    await run();
    const [opened, resolved] = server.mails;
    expect(resolved!.headers.subject).to.equal('Recovered: Shop');
    expect(resolved!.raw).to.include('2 min 5 s');
    expect(opened!.headers.references).to.equal(`<incident-${incidentId}@127.0.0.1>`);
    expect(resolved!.headers.references).to.equal(opened!.headers.references);
    expect(opened!.headers['message-id']).to.match(/^<[0-9a-f-]{36}@127\.0\.0\.1>$/);
    expect(resolved!.headers['message-id']).not.to.equal(opened!.headers['message-id']);
  });

  it('is retried after a temporary failure and not when the mailbox does not exist', async () => {
    const { id } = await seedGroup(world, 'email', { recipients: ['ann@example.test', 'nobody@example.test'] });
    const incidentId = await openIncident(world, await seedWatched(world, id));
    server.refuse({ code: 451, message: 'try later' }, { code: 550, message: 'no such mailbox' });
    await run();
    const states = (await deliveriesOf(world, id)).map(({ state, statusCode }) => [state, statusCode]);
    expect(states).to.have.deep.members([
      ['waiting', 451],
      ['failed', 550],
    ]);
    app.clock.advance(6_000);
    await run();
    expect(server.mails).to.have.length(1);
    const types = (await timelineOf(world, incidentId)).map(({ type }) => type);
    expect(types).to.include.members(['notified', 'notification_failed']);
  });

  it('contains no header or markup that a name injects', async () => {
    const { id } = await seedGroup(world, 'email', { recipients: ['ann@example.test'] });
    const monitorId = await seedWatched(world, id);
    const name = 'Shop <script>alert(1)</script>\r\nBcc: all@example.test\r\n\r\nHello';
    await app.sql('UPDATE monitor SET name = $2 WHERE id = $1', [monitorId, name]);
    await openIncident(world, monitorId);
    await run();
    const [mail] = server.mails;
    expect(mail!.to).to.deep.equal(['ann@example.test']);
    expect(mail!.headers).not.to.have.property('bcc');
    expect(mail!.headers.subject).to.equal('Down: Shop <script>alert(1)</script> Bcc: all@example.test Hello');
    const htmlPart = mail!.raw.slice(mail!.raw.indexOf('text/html'));
    expect(htmlPart).not.to.include('<script>');
    expect(htmlPart.replace(/=\r\n/g, '')).to.include('&lt;script&gt;');
  });

  it('that is not an alert is sent once for its key, with the headers to unsubscribe', async () => {
    const mail = {
      to: 'visitor@example.test',
      subject: 'News\nfrom Acme',
      text: 'Hello',
      html: '<p>Hello</p>',
      unsubscribeUrl: `${app.baseUrl}/u?token=abc`,
      once: `news:${world.workspaceId}`,
    };
    await app.db.transaction(async (tx) => {
      await enqueueMail({ clock: app.clock }, tx, world.workspaceId, mail);
      await enqueueMail({ clock: app.clock }, tx, world.workspaceId, mail);
    });
    await run();
    await app.db.transaction((tx) => enqueueMail({ clock: app.clock }, tx, world.workspaceId, mail));
    await run();
    expect(server.mails).to.have.length(1);
    expect(server.mails[0]!.headers).to.include({
      subject: 'News from Acme',
      'list-unsubscribe': `<${app.baseUrl}/u?token=abc>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    const [row] = await app.sql('SELECT state, content FROM outgoing_mail WHERE once_key = $1', [mail.once]);
    expect(row, 'the content is deleted').to.deep.equal({ state: 'delivered', content: {} });
  });

  it('that was refused is retried on schedule, and mail that was rolled back is never sent', async () => {
    const mail = { to: 'visitor@example.test', subject: 'Hi', text: 'Hello', html: '<p>Hello</p>' };
    await app.db
      .transaction(async (tx) => {
        await enqueueMail({ clock: app.clock }, tx, world.workspaceId, mail);
        throw new Error('rolled back');
      })
      .catch(() => {});
    await run();
    expect(server.mails).to.have.length(0);
    await app.db.transaction((tx) => enqueueMail({ clock: app.clock }, tx, world.workspaceId, mail));
    server.refuse({ code: 421, message: 'closing' });
    await run();
    expect(server.mails).to.have.length(0);
    app.clock.advance(6_000);
    await run();
    expect(server.mails).to.have.length(1);
  });

  it('with a foreign link to unsubscribe has no header for it', async () => {
    const mail = { to: 'v@example.test', subject: 'Hi', text: 'x', html: 'x', unsubscribeUrl: 'https://evil.example/' };
    await app.db.transaction((tx) => enqueueMail({ clock: app.clock }, tx, world.workspaceId, mail));
    await run();
    expect(server.mails[0]!.headers).not.to.have.property('list-unsubscribe');
  });

  it('of an invitation contains one link, and names in it are no links', async () => {
    await world.api('PATCH', `/api/v1/workspaces/${world.workspaceId}`, { name: 'Win https://evil.example/now' });
    const { body } = await world.api<{ link: string }>('POST', `/api/v1/workspaces/${world.workspaceId}/invitations`, {
      email: 'new@example.test',
      role: 'Editor',
    });
    await run();
    const [mail] = server.mails;
    expect(mail!.to).to.deep.equal(['new@example.test']);
    const raw = mail!.raw.replace(/=\r\n/g, '').replaceAll('=3D', '=');
    expect(raw).to.include(body.link).and.not.to.include('https://evil.example');
  });

  it('of invitations is limited to two hundred a day for one person', async () => {
    const invite = () =>
      world.api('POST', `/api/v1/workspaces/${world.workspaceId}/invitations`, {
        email: 'last@example.test',
        role: 'Viewer',
      });
    await app.sql(
      `INSERT INTO invitation_link (email, owner_id, invited_by, created)
       SELECT n || '@example.test', $1, $1, $2 FROM generate_series(1, 200) n`,
      [world.owner.userId, new Date(app.clock.now())],
    );
    const { status, body } = await invite();
    expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
    app.clock.advance(86_400_000);
    expect((await invite()).status).to.equal(201);
  });

  it('of tests is limited to a hundred in ten minutes', async () => {
    const recipients = Array.from({ length: 50 }, (_, index) => `victim+${index}@example.test`);
    const { id } = await seedGroup(world, 'email', { recipients });
    for (const status of [200, 200, 429])
      expect((await world.api('POST', `/api/v1/action-groups/${id}/test`)).status).to.equal(status);
    expect(server.mails).to.have.length(100);
  });

  it('to a silent or missing server has an outcome within the deadline', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const mail = { to: 'ann@example.test', subject: 'Hi', text: 'x', html: 'x' };
    const send = (at: number) =>
      createSmtpMailer({
        smtpUrl: `smtp://127.0.0.1:${at}`,
        from: 'alerts@watch.example',
        baseUrl: 'https://watch.example',
        silenceMs: 1_000,
      }).send('id', mail, 0);
    try {
      expect(await send(port)).to.include({ kind: 'unavailable', answer: 'The mail server did not answer in time.' });
    } finally {
      await new Promise((resolve) => silent.close(resolve));
    }
    // Another process may already listen on the port that has just been freed, and none does on port 1.
    expect(await send(1)).to.include({ kind: 'unavailable' });
  });
});
