import { expect } from 'chai';
import { systemClock } from '@watchpost/shared/clock';
import { notifyContacts, enqueueMail } from '@watchpost/control-plane/capabilities/delivery/index';
import { startTestApp, type TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { startMailServer } from '../../support/mail-server.js';
import { makeWorld, type World } from '../../support/seed.js';
import { openIncident, openTogether, seedGroup, seedWatched } from '../../support/seed-alerts.js';
import { startedForSuite } from '../../support/suite.js';
import { startDelivery } from './live-delivery.js';

/** How long the mail server takes for each mail. */
const SLOW_MS = 1_500;

describe('a thousand mails to a slow mail server', function () {
  let app: TestApp;
  const server = startedForSuite(() =>
    startMailServer({
      onMailFrom: (_address, _session, callback) => void setTimeout(callback, SLOW_MS),
    }),
  );
  let delivery: { stop(): Promise<void> };

  before(async () => {
    app = await startTestApp({
      clock: systemClock,
      env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'alerts@watch.example' },
    });
    delivery = startDelivery(app);
  });
  after(async () => {
    await delivery.stop();
    await app.stop();
  });

  /** Resolves once the server has a mail to this address. */
  async function timeMail(to: string, send: () => Promise<unknown>): Promise<number> {
    const started = performance.now();
    await send();
    const isThere = () => server.mails.some((mail) => mail.to[0] === to) || undefined;
    await eventually(`a mail to ${to}`, isThere, 60_000, 20);
    return Math.round(performance.now() - started);
  }

  const invite = (world: World, email: string) =>
    timeMail(email, () =>
      world.api('POST', `/api/v1/workspaces/${world.workspaceId}/invitations`, { email, role: 'Viewer' }),
    );

  const alert = async (world: World, email: string): Promise<number> => {
    const { id } = await seedGroup(world, 'email', { recipients: [email] });
    const monitorId = await seedWatched(world, id);
    return timeMail(email, () => openIncident(world, monitorId));
  };

  const page = (world: World, address: string): Promise<number> => {
    const event = { workspaceId: world.workspaceId, monitorKey: 1, incidentId: null, type: 'incident.opened' } as const;
    const contact = { channel: 'email', address, extra: {} } as const;
    return timeMail(address, () =>
      app.db.transaction((tx) =>
        notifyContacts(app, tx, [
          {
            event: { ...event, atMs: app.clock.now(), detail: {} },
            contacts: [contact],
            purpose: `page:0:${world.owner.userId}`,
          },
        ]),
      ),
    );
  };

  it("do not delay another tenant's invitation, alert and page", async () => {
    const victim = await makeWorld(app);
    const before = await invite(victim, 'before@victim.example');
    const alertBefore = await alert(victim, 'alert-before@victim.example');

    const hostile = await Promise.all([makeWorld(app), makeWorld(app), makeWorld(app)]);
    for (const world of hostile) {
      await app.db.transaction(async (tx) => {
        for (let index = 0; index < 350; index++) {
          const mail = { to: `${index}@crowd.example`, subject: 'News', text: 'News', html: '<p>News</p>' };
          await enqueueMail(app, tx, world.workspaceId, mail);
        }
      });
      const recipients = Array.from({ length: 50 }, (_, index) => `alert-${index}@crowd.example`);
      const { id } = await seedGroup(world, 'email', { recipients });
      await openTogether(world, [await seedWatched(world, id), await seedWatched(world, id)]);
    }
    await eventually('the crowd gets mail', () => server.mails.length > 20 || undefined, 60_000);

    const during = await invite(victim, 'during@victim.example');
    const alertDuring = await alert(victim, 'alert-during@victim.example');
    await page(victim, 'page-during@victim.example');
    const count = await app.value<number>(
      `SELECT count(*) FROM outgoing_mail WHERE state = 'waiting' AND recipient LIKE '%@crowd.example'`,
    );
    expect(count, 'the attack is still running').to.be.above(500);
    const limit = 'before 500 of the mails';
    printFairnessFigure({ attack: 6, measure: 'invitation after, ms', before, during, limit });
    printFairnessFigure({
      attack: 6,
      measure: 'alert by mail after, ms',
      before: alertBefore,
      during: alertDuring,
      limit,
    });
  });

  it("do not delay the same owner's alerts and pages", async () => {
    const world = await makeWorld(app);
    await app.db.transaction(async (tx) => {
      for (let index = 0; index < 200; index++) {
        const mail = { to: `own-${index}@crowd.example`, subject: 'News', text: 'News', html: '<p>News</p>' };
        await enqueueMail(app, tx, world.workspaceId, mail);
      }
    });
    const sent = server.mails.length;
    await eventually('the mails go out', () => server.mails.length > sent + 10 || undefined, 60_000);
    await alert(world, 'own-alert@victim.example');
    await page(world, 'own-page@victim.example');
    const before = server.mails.filter(({ to }) => to[0]!.startsWith('own-') && to[0]!.endsWith('@crowd.example'));
    expect(before.length, 'of the 200 mails, sent before').to.be.below(150);
  });
});
