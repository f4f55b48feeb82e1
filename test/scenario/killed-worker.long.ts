import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { deliveriesOf, seedGroup } from '../support/seed-alerts.js';
import { BROKEN } from '../integration/results/seed.js';
import { eventually } from '../support/eventually.js';
import { type ManagedProcess, startProcess } from '../support/managed-process.js';
import type { ReceivedMail } from '../support/mail-server.js';
import { readMail } from '../support/read-mail.js';
import { create, type World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { breakDown, type Site, startStage, timelineOf } from './stage.js';

const WORKER = fileURLToPath(new URL('../support/delivery-process.js', import.meta.url));
const READERS = 8;
const NOTES = 12;
const KILLS = 2;
const INCIDENTS = 10;

/** The id of a message without the host, which depends on the process that sends it. */
const idOf = ({ headers }: ReceivedMail) => headers['message-id']!.replace(/^<|@.*/g, '');

describe('a delivery worker that is killed repeatedly while it sends', function () {
  this.timeout(600_000);
  const stage = startedForSuite(() => startStage());
  let world: World;
  let site: Site;
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-killed-'));

  before(async () => {
    world = await stage.newWorld();
    site = await stage.watch(world);
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
  });

  function startWorker(name: string): ManagedProcess {
    const { issuer, databaseUrl, clock } = stage.app;
    return startProcess({
      args: [WORKER, String(clock.now())],
      env: { ...stage.env, DATABASE_URL: databaseUrl, OIDC_ISSUER: issuer.issuer, OIDC_AUDIENCE: issuer.audience },
      logFile: join(folder, `${name}.log`),
    });
  }

  /** Starts a worker and kills it when so many mails have arrived, of which the last one is never accepted. */
  async function killWhenSent(name: string, count: number): Promise<void> {
    const { mailServer } = stage;
    const enough = mailServer.mails.length + count;
    mailServer.answer = (accept) => void (mailServer.mails.length < enough && accept());
    const worker = startWorker(name);
    await eventually('it sends', () => mailServer.mails.length >= enough || !worker.running || undefined, 120_000, 1);
    expect(worker.running, worker.output()).to.equal(true);
    worker.kill('SIGKILL');
    await worker.ended(60_000);
    mailServer.answer = (accept) => accept();
  }

  /** The messages that are stored as delivered. */
  async function recorded(): Promise<Set<string>> {
    const rows = await stage.app.sql<{ id: string }>(
      `SELECT coalesce(message_id, id) AS id FROM delivery WHERE state = 'delivered'`,
    );
    return new Set(rows.map(({ id }) => id));
  }
  /** How many messages have arrived and are not stored as delivered, so that another worker sends them again. */
  async function countInterrupted(): Promise<number> {
    const written = await recorded();
    return new Set(stage.mailServer.mails.map(idOf).filter((id) => !written.has(id))).size;
  }

  it('loses no message, repeats no message that is stored as delivered, and keeps the order of each recipient', async () => {
    const recipients = Array.from({ length: READERS }, (_, index) => `reader-${index}@example.test`);
    const { id: groupId } = await seedGroup(world, 'email', { recipients });
    await create(world.api, `/api/v1/action-groups/${groupId}/monitors/${site.id}`);
    const { mailServer, app } = stage;
    const opened = await breakDown(stage, world, site);
    expect(mailServer.mails).to.have.length(READERS);
    for (let note = 0; note < NOTES; note++)
      await create(world.api, `/api/v1/incident/${opened}/notes`, { note: `Note ${note}` });
    const total = READERS * (1 + NOTES);
    const mailIds = () => mailServer.mails.map(idOf);

    let inFlight = 0;
    const kills: { written: Set<string>; sent: number }[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await killWhenSent(`worker-${kill}`, 10);
      const written = await recorded();
      expect(written.size, 'it was killed in the middle').to.be.below(total);
      kills.push({ written, sent: mailServer.mails.length });
      inFlight += await countInterrupted();
      // Another worker takes over the killed worker's deliveries when its lease expires.
      app.clock.advance(MINUTE_MS);
    }
    await stage.work();

    const ids = mailIds();
    for (const { written, sent } of kills)
      expect(
        ids.slice(sent).filter((id) => written.has(id)),
        'no message that is stored as delivered is sent again',
      ).to.deep.equal([]);
    expect(new Set(ids).size, 'nothing is lost').to.equal(total);
    expect(ids.length - total, 'only messages without a stored outcome are sent twice').to.be.at.most(inFlight);
    expect(inFlight, 'at most one for each reader and kill').to.be.at.most(READERS * KILLS);
    const all = await deliveriesOf(world, groupId);
    expect(all.every(({ state }) => state === 'delivered')).to.equal(true);
    for (const reader of recipients) {
      const notes = stage.mails(reader).flatMap(({ text }) => /Note (\d+)/.exec(text)?.[1] ?? []);
      const once = notes.filter((note, index) => note !== notes[index - 1]);
      expect(once, reader).to.deep.equal(Array.from({ length: NOTES }, (_, note) => String(note)));
    }
    const events = (await timelineOf(world, opened)).filter(({ type }) => type === 'notified');
    expect(events, 'the timeline contains each notification once').to.have.length(total);
    app.clock.advance(24 * 60 * MINUTE_MS);
    await stage.work();
    expect(mailServer.mails).to.have.length(ids.length);
  });

  it('pages once for each incident, at whatever moment it is killed', async () => {
    const { mailServer, app } = stage;
    const ann = await stage.join(world, 'ann');
    const sites: Site[] = [];
    for (let index = 0; index < INCIDENTS; index++) sites.push(await stage.watch(world, `Page ${index}`));
    const team = await stage.routeTo(world, sites[0]!, { turns: [ann], leads: [ann] });
    for (const { serviceGroupId } of sites.slice(1))
      await create(world.api, `${team}/service-groups/${serviceGroupId}`, undefined, 'PUT');
    mailServer.mails.length = 0;
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const down = sites.filter((_, index) => index % KILLS === kill);
      for (const broken of down) broken.answers = BROKEN;
      await stage.file(...down);
      await killWhenSent(`pager-${kill}`, 1);
      interrupted += await countInterrupted();
      app.clock.advance(MINUTE_MS);
    }
    await stage.work();
    const mails = mailServer.mails.map((mail) => ({ id: idOf(mail), text: readMail(mail).text }));
    // Pages that wait for one person are joined in one message, and a repeated message has the same content.
    const messages = new Map(mails.map(({ id, text }) => [id, text]));
    const named = [...messages.values()].flatMap((text) => [...new Set(text.match(/Down: Page \d/g))]);
    expect(named.toSorted()).to.deep.equal(sites.map((_, index) => `Down: Page ${index}`));
    expect(mails.length - messages.size, 'only what was being sent at a kill is repeated').to.be.at.most(interrupted);
    expect(interrupted, 'one message to a person at a time').to.equal(KILLS);
    const steps = await app.sql<{ paged: number }>(
      `SELECT count(*)::int AS paged FROM incident_event e JOIN incident i ON i.id = e.incident_id
       WHERE i.monitor_key = ANY ($1) AND e.type = 'paged' GROUP BY i.id`,
      [sites.map(({ key }) => key)],
    );
    expect(steps.map(({ paged }) => paged)).to.deep.equal(sites.map(() => 1));
  });

  it('takes each step of a policy once, killed between steps and during one, also where two take them at a time', async () => {
    const { mailServer, app } = stage;
    world = await stage.newWorld();
    const people = [
      await stage.join(world, 'first'),
      await stage.join(world, 'second'),
      await stage.join(world, 'third'),
    ];
    const sites: Site[] = [];
    for (let index = 0; index < INCIDENTS; index++) sites.push(await stage.watch(world, `Step ${index}`));
    const team = await stage.routeTo(world, sites[0]!, { turns: people });
    for (const { serviceGroupId } of sites.slice(1))
      await create(world.api, `${team}/service-groups/${serviceGroupId}`, undefined, 'PUT');
    const steps = people.map(({ userId: id }, step) => ({
      after: `PT${step * 5}M`,
      targets: [{ type: 'user', id }],
    }));
    await create(world.api, `${team}/escalation-policies`, { name: 'Three', steps });
    for (const broken of sites) broken.answers = BROKEN;
    await stage.file(...sites);
    let interrupted = 0;
    for (const [step, person] of people.entries()) {
      const workers = ['a', 'b'].map((name) => startWorker(`step-${step}-${name}`));
      await eventually('a step is taken', () => stage.mails(person.email).length > 0 || undefined, 120_000, 1);
      for (const worker of workers) {
        worker.kill('SIGKILL');
        await worker.ended(60_000);
      }
      interrupted += await countInterrupted();
      app.clock.advance((step + 1) * 5 * MINUTE_MS);
    }
    await stage.work();
    app.clock.advance(60 * MINUTE_MS);
    await stage.work();
    const paged = await app.sql<{ step: number; times: number }>(
      `SELECT (detail ->> 'step')::integer AS step, count(*)::integer AS times FROM incident_event
       WHERE workspace_id = $1 AND type = 'paged' GROUP BY incident_id, 1 ORDER BY 1`,
      [world.workspaceId],
    );
    expect(paged).to.deep.equal(people.flatMap((_, step) => sites.map(() => ({ step, times: 1 }))));
    const sent = await app.sql<{ address: string; state: string; pages: number }>(
      `SELECT address, state, count(*)::integer AS pages FROM delivery WHERE workspace_id = $1 GROUP BY 1, 2`,
      [world.workspaceId],
    );
    const once = people.map(({ email: address }) => ({ address, state: 'delivered', pages: INCIDENTS }));
    expect(sent).to.have.deep.members(once);
    const ids = mailServer.mails.map(idOf);
    expect(ids.length - new Set(ids).size, 'only what was being sent at a kill is repeated').to.be.at.most(interrupted);
  });
});
