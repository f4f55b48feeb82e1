import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { startTestApp, type TestApp, type TestMember } from '../../support/app.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { type ManagedProcess, startProcess } from '../../support/managed-process.js';
import { readMail } from '../../support/read-mail.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { NOON } from '../results/seed.js';
import { openTogether, timelineOf } from '../../support/seed-alerts.js';

const WORKER = fileURLToPath(new URL('../../support/delivery-process.js', import.meta.url));
const LEASE_MS = 45_000;

interface Routed {
  world: World;
  ann: TestMember;
  monitorIds: string[];
}

describe('Pages that wait for one person', () => {
  let app: TestApp;
  let server: MailServer;
  let env: Record<string, string>;
  let routed: Routed;
  let worker: ManagedProcess | undefined;
  /** Holds mails after their content arrived, before they are accepted. */
  let held: (() => void)[] | null;
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-joint-'));

  before(async () => {
    server = await startMailServer();
    server.answer = (accept) => (held ? void held.push(accept) : accept());
    env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'alerts@watch.example' };
    app = await startTestApp({ env });
  });
  after(async () => {
    await app.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    held = null;
    server.mails.length = 0;
    await app.sql('DELETE FROM incident_paging');
    app.clock.set(Math.max(NOON, app.clock.now() + 60 * MINUTE_MS));
    routed = await route(await makeWorld(app, 'Pro'), 6);
  });
  afterEach(async () => {
    if (worker?.running) {
      worker.kill('SIGKILL');
      await worker.ended(30_000);
    }
    release();
  });

  async function route(world: World, monitors: number, person?: TestMember): Promise<Routed> {
    const ann = person ?? (await world.member('Responder'));
    const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
    const { id: teamId } = await create(world.api, '/api/v1/teams', { name: 'Web' });
    await create(world.api, `/api/v1/teams/${teamId}/members`, { userId: ann.userId, teamRole: 'member' });
    const schedule = { rotation: 'daily', timezone: 'UTC', handoffTime: '09:00', startDate: '2026-11-01' };
    await create(world.api, `/api/v1/teams/${teamId}/schedule`, { ...schedule, participants: [ann.userId] }, 'PUT');
    await create(world.api, `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`, undefined, 'PUT');
    const monitorIds: string[] = [];
    for (let place = 0; place < monitors; place++) monitorIds.push((await seedMonitor(world)).id);
    await app.sql('UPDATE monitor SET service_group_id = $2 WHERE id = ANY ($1)', [monitorIds, serviceGroupId]);
    return { world, ann, monitorIds };
  }

  const page = () => app.plane.periodicTasks.find(({ name }) => name === 'page_due')!.run();
  const send = () => app.plane.delivery.runDue();
  const open = async ({ world, monitorIds }: Routed, from: number, to: number): Promise<string[]> => {
    const opened = await openTogether(world, monitorIds.slice(from, to));
    await page();
    return opened;
  };
  function release(): void {
    const callbacks = held ?? [];
    held = null;
    for (const callback of callbacks) callback();
  }
  const holds = (count: number) =>
    eventually('the mail server holds a mail', () => (held!.length >= count ? true : undefined), PATIENCE_MS, 10);
  const mails = () => server.mails.map((mail) => ({ ...readMail(mail), id: mail.headers['message-id']! }));
  const linksIn = (text: string, label: string) =>
    [...text.matchAll(new RegExp(`^${label}: (\\S+)$`, 'gm'))].map(([, url]) => new URL(url!).pathname);
  const acknowledged = ({ world }: Routed) =>
    app.sql<{ id: string; acknowledged: boolean }>(
      'SELECT id, acknowledged FROM incident WHERE workspace_id = $1 ORDER BY id',
      [world.workspaceId],
    );

  /** One page is being sent while others are added: two mails. @returns the incidents, the first one apart */
  async function joint(): Promise<{ first: string; others: string[] }> {
    held = [];
    const [first] = await open(routed, 0, 1);
    const sending = send();
    await holds(1);
    const others = [...(await open(routed, 1, 3)), ...(await open(routed, 3, 5))];
    release();
    await sending;
    return { first: first!, others };
  }

  it('are one mail, while the first one left at once', async () => {
    const { first, others } = await joint();
    const [alone, together, ...more] = mails();
    expect(more).to.deep.equal([]);
    expect(alone!.subject).to.match(/^Down: /);
    expect(together!.subject).to.match(/^4 incidents: .+ and 1 more$/);
    expect(together!.text).to.include('You are on call for Web.');
    expect(linksIn(together!.text, 'Acknowledge all')).to.have.length(1);
    expect(new Set(linksIn(together!.text, 'Acknowledge')), 'each has a link of its own').to.have.length(4);
    expect(new Set(linksIn(together!.text, 'See the evidence'))).to.have.length(4);
    const references = server.mails[1]!.headers['references'];
    for (const id of others) expect(references).to.include(id);

    const carried = await Promise.all(others.map(async (id) => notifiedOf(id)));
    const messages = new Set(carried.map(({ detail }) => detail['messageId']));
    expect([...messages].map((id) => together!.id.includes(String(id)))).to.deep.equal([true]);
    for (const { detail } of carried) expect(detail['messageCount']).to.equal(4);
    expect((await notifiedOf(first)).detail).to.not.have.any.keys('messageId', 'messageCount');
  });

  async function notifiedOf(incidentId: string) {
    const notified = (await timelineOf(routed.world, incidentId)).filter(({ type }) => type === 'notified');
    expect(notified, incidentId).to.have.length(1);
    return notified[0]!;
  }

  it('are acknowledged all at once by one link, which works once', async () => {
    const { others } = await joint();
    const [path] = linksIn(mails()[1]!.text, 'Acknowledge all');
    const shown = (await app.anonymous('GET', path!)).body;
    expect(shown.incidents.map(({ incidentId }: { incidentId: string }) => incidentId)).to.have.members(others);
    expect(shown).to.deep.include({ acknowledged: false, isClosed: false });
    const form = await (await fetch(app.baseUrl + path!, { headers: { accept: 'text/html' } })).text();
    expect(form).to.include('Acknowledge all 4');
    expect(
      (await acknowledged(routed)).filter((one) => one.acknowledged),
      'opening it changes nothing',
    ).to.be.empty;

    expect((await app.anonymous('POST', path!)).body).to.deep.include({ acknowledged: true });
    const done = (await acknowledged(routed)).filter((one) => one.acknowledged).map(({ id }) => id);
    expect(done, 'and the incident of another message is left').to.have.members(others);
    expect((await app.anonymous('POST', path!)).status).to.equal(404);
  });

  it('escalate by the acknowledgement of each', async () => {
    const { first, others } = await joint();
    const [one, ...open] = others;
    for (const id of [first, one!])
      await create(routed.ann.api, `/api/v1/incident/${id}`, { acknowledged: true }, 'PATCH');
    app.clock.advance(10 * MINUTE_MS);
    await page();
    await send();
    const again = mails()[2]!;
    expect(again.subject).to.match(/^3 incidents: /);
    const [path] = linksIn(again.text, 'Acknowledge all');
    const shown = (await app.anonymous('GET', path!)).body;
    expect(shown.incidents.map(({ incidentId }: { incidentId: string }) => incidentId)).to.have.members(open);
  });

  it('are notified together that it is over', async () => {
    const { first, others } = await joint();
    app.clock.advance(MINUTE_MS);
    for (const id of [first, ...others])
      await create(routed.world.api, `/api/v1/incident/${id}`, { status: 'Resolved' }, 'PATCH');
    await send();
    const [over, ...more] = mails().slice(2);
    expect(more).to.deep.equal([]);
    expect(over!.subject).to.match(/^5 incidents are over: /);
    expect(linksIn(over!.text, 'Acknowledge all')).to.deep.equal([]);
  });

  it('are sent again with the same content and id after a kill, and later ones apart from them', async function () {
    const others = await open(routed, 0, 5);
    held = [];
    worker = startWorker();
    await holds(1);
    worker.kill('SIGKILL');
    await worker.ended(30_000);
    const [fixed] = await app.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM delivery WHERE workspace_id = $1 AND message_id IS NOT NULL AND state = 'waiting'`,
      [routed.world.workspaceId],
    );
    expect(fixed!.count, 'what the message contains is stored before it is sent').to.equal(5);
    release();
    await open(routed, 5, 6);
    app.clock.advance(LEASE_MS);
    await send();
    const [together, again, later, ...more] = mails();
    expect(more).to.deep.equal([]);
    expect(together!.subject).to.match(/^5 incidents: /);
    expect(again!.id).to.equal(together!.id);
    // The worker has a key of its own, with which it signs the links to the evidence.
    const contentOf = (text: string) => text.replace(/^See the evidence: .*$/gm, '');
    expect(contentOf(again!.text)).to.equal(contentOf(together!.text));
    expect(later!.subject).to.match(/^Down: /);
    const { messageId } = (await notifiedOf(others[0]!)).detail as { messageId: string };
    expect(together!.id).to.include(messageId);
    const [path] = linksIn(together!.text, 'Acknowledge all');
    expect((await app.anonymous('POST', path!)).body.incidents, 'its link works').to.have.length(5);
    const states = await app.sql<{ state: string; attempts: number }>(
      'SELECT DISTINCT state, attempts FROM delivery WHERE workspace_id = $1',
      [routed.world.workspaceId],
    );
    expect(states).to.deep.equal([{ state: 'delivered', attempts: 1 }]);
  });

  function startWorker(): ManagedProcess {
    const { issuer, audience } = app.issuer;
    return startProcess({
      args: [WORKER, String(app.clock.now())],
      env: {
        ...env,
        BASE_URL: app.baseUrl,
        DATABASE_URL: app.databaseUrl,
        OIDC_ISSUER: issuer,
        OIDC_AUDIENCE: audience,
      },
      logFile: join(folder, 'worker.log'),
    });
  }

  it('are tried one by one where the mail about all of them is refused for good', async () => {
    server.refuse({ code: 550, message: 'looks like spam' });
    const ids = await open(routed, 0, 3);
    await send();
    for (let window = 0; window < 3; window++) {
      app.clock.advance(3_000);
      await send();
    }
    expect(mails().map(({ subject }) => subject.slice(0, 6))).to.deep.equal(['Down: ', 'Down: ', 'Down: ']);
    for (const id of ids) expect((await notifiedOf(id)).detail).to.not.have.any.keys('messageId');
  });

  it('of two workspaces are two mails to a person who is on call in both, each with links for its own', async () => {
    const world = await makeWorld(app, 'Pro');
    await app.sql(
      `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used)
       VALUES (gen_random_uuid(), $1, $2, 'Responder', now(), now())`,
      [world.workspaceId, routed.ann.userId],
    );
    const elsewhere = await route(world, 3, routed.ann);
    await openTogether(routed.world, routed.monitorIds.slice(0, 3));
    await openTogether(world, elsewhere.monitorIds);
    await page();
    await send();
    const together = mails();
    expect(together.map(({ subject }) => subject.replace(/:.*/, ''))).to.deep.equal(['3 incidents', '3 incidents']);
    const [path] = linksIn(together[0]!.text, 'Acknowledge all');
    expect((await app.anonymous('POST', path!)).status).to.equal(200);
    const counts = await Promise.all(
      [routed, elsewhere].map(async (one) => (await acknowledged(one)).filter((row) => row.acknowledged).length),
    );
    expect(counts, 'of one workspace only').to.have.members([0, 3]);
  });
});
