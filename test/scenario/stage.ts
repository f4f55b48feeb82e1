import { expect } from 'chai';
import type { Outcome } from '@watchpost/shared/outcome';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Role } from '@watchpost/control-plane/platform/identity/caller';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, BROKEN, resultOf, resultsDeps, UP } from '../integration/results/seed.js';
import { NOON, startTestApp, type TestApp, type TestAppOptions, type TestMember } from '../support/app.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { readMail, type ReadMail } from '../support/read-mail.js';
import { create, makeWorld, seedMonitor, type World } from '../support/seed.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

/** While time passes, due work is done at this interval. Real workers poll more often. */
const STEP_MS = 30 * SECOND_MS;

interface Sms {
  to: string;
  text: string;
}

/** A site that is checked every minute from the home region while time passes. */
export interface Site {
  readonly id: string;
  readonly key: number;
  readonly serviceGroupId: string;
  /** The outcome of its next checks. */
  answers: Outcome;
}

export interface Person extends TestMember {
  phone: string | null;
}

/** A control plane with real receivers of mail and SMS, and a clock that the test advances. */
export interface Stage {
  readonly app: TestApp;
  /** The environment with which a separate process uses the same receivers. */
  readonly env: Readonly<Record<string, string>>;
  /** The SMS provider, which receives all text messages. */
  readonly carrier: WebhookReceiver;
  readonly mailServer: MailServer;
  /** Makes a new workspace and forgets all messages so far. */
  newWorld(atMs?: number): Promise<World>;
  mails(to?: string): ReadMail[];
  texts(to?: string): Sms[];
  /** The number of messages sent to a person so far, mails and texts. */
  heard(person: Person): number;
  /** Makes a member with a mailbox and, if wanted, a phone. */
  join(world: World, name: string, options?: { role?: Role; hasPhone?: boolean }): Promise<Person>;
  /** What a request of a person in a workspace is sent with. */
  headersOf(person: Pick<Person, 'sub'>, world: World): Promise<Record<string, string>>;
  /** Makes a monitored site in a new service group. */
  watch(world: World, name?: string): Promise<Site>;
  /** Makes a team with this rotation and these leads, and routes the site's service group to it. */
  routeTo(world: World, site: Site, options: { turns: Person[]; leads?: Person[]; name?: string }): Promise<string>;
  /** Stores one check of each site, without the work that follows from it. */
  file(...sites: Site[]): Promise<void>;
  /** Stores one check of each site and does all the work that follows from it. */
  check(...sites: Site[]): Promise<void>;
  /** Does the work that is due now. */
  work(): Promise<void>;
  /** Advances the clock, with one check of each site per minute. */
  pass(ms: number, ...sites: Site[]): Promise<void>;
  stop(): Promise<void>;
}

/** @param hasSms whether the operator has an account with an SMS provider */
export async function startStage({
  hasSms = true,
  secretBox,
}: { hasSms?: boolean } & Pick<TestAppOptions, 'secretBox'> = {}): Promise<Stage> {
  const [mailServer, carrier] = await Promise.all([startMailServer(), startWebhookReceiver()]);
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'Watchpost <alerts@watch.example>',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...(hasSms && {
      TWILIO_ACCOUNT_SID: 'AC123',
      TWILIO_AUTH_TOKEN: 's3cr3t',
      TWILIO_FROM: '+15005550006',
      TWILIO_API_URL: carrier.url,
    }),
  };
  const app = await startTestApp({ env, ...(secretBox && { secretBox }) });
  carrier.always(answer(201, { 'content-type': 'application/json' }, '{"sid":"SM1","status":"queued"}'));
  const deps = { ...resultsDeps(app.db), clock: app.clock, partitions: app.plane.partitions };
  const agent = agentIn('northeurope');
  let names = 0;

  const stage: Stage = {
    app,
    env,
    carrier,
    mailServer,
    async newWorld(atMs = NOON) {
      app.clock.set(atMs);
      await app.plane.partitions.makeAhead();
      await stage.work();
      const world = await makeWorld(app);
      mailServer.mails.length = 0;
      carrier.calls.length = 0;
      return world;
    },
    mails: (to) => mailServer.mails.map(readMail).filter((mail) => to === undefined || mail.to.includes(to)),
    texts: (to) =>
      carrier.calls
        .map(({ body }) => new URLSearchParams(body))
        .map((form) => ({ to: form.get('To')!, text: form.get('Body')! }))
        .filter((sms) => to === undefined || sms.to === to),
    heard: ({ email, phone }) => stage.mails(email).length + (phone === null ? 0 : stage.texts(phone).length),
    async join(world, name, { role = 'Responder', hasPhone = false } = {}) {
      const user = await app.user(`${name}-${++names}`);
      const memberId = user.userId;
      const now = new Date(app.clock.now());
      await app.sql(
        'INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES ($1, $2, $3, $4, $5, $5)',
        [memberId, world.workspaceId, user.userId, role, now],
      );
      const api = world.as(user);
      const phone = hasPhone ? `+49151${10_000_000 + names}` : null;
      if (hasPhone) {
        const notificationPreferences = { sms: true, phoneNumber: phone };
        await create(api, `/api/v1/workspaces/${world.workspaceId}/members/me`, { notificationPreferences }, 'PATCH');
      }
      return { ...user, role, memberId, api, phone };
    },
    headersOf: async ({ sub }, { workspaceId }) => ({
      authorization: `Bearer ${await app.token(sub)}`,
      'x-workspace-id': workspaceId,
    }),
    async watch(world, name = 'Shop') {
      const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: `${name} group` });
      const settings = { name, serviceGroupId, checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
      const { id } = await seedMonitor(world, settings);
      const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
      return { id, key, serviceGroupId, answers: UP };
    },
    async routeTo(world, { serviceGroupId }, { turns, leads = [], name = 'Night watch' }) {
      const { id } = await create(world.api, '/api/v1/teams', { name });
      const path = `/api/v1/teams/${id}`;
      for (const { userId } of new Set([...turns, ...leads])) {
        const teamRole = leads.some((lead) => lead.userId === userId) ? 'lead' : 'member';
        await create(world.api, `${path}/members`, { userId, teamRole });
      }
      if (turns.length > 0) {
        const startDate = new Date(app.clock.now() - 24 * HOUR_MS).toISOString().slice(0, 10);
        const participants = turns.map(({ userId }) => userId);
        const rotation = {
          rotation: 'daily',
          timezone: 'Europe/Berlin',
          handoffTime: '09:00',
          startDate,
          participants,
        };
        await create(world.api, `${path}/schedule`, rotation, 'PUT');
      }
      await create(world.api, `${path}/service-groups/${serviceGroupId}`, undefined, 'PUT');
      return path;
    },
    async file(...sites) {
      const nowMs = app.clock.now();
      await ingestBatch(
        deps,
        agent,
        // Verified, because unverified first failures of many owners are held until the region is trusted.
        sites.map(({ key, answers }) => ({ ...resultOf(key, nowMs, answers), answer: 'verified' as const })),
      );
    },
    async check(...sites) {
      await stage.file(...sites);
      await stage.work();
    },
    async work() {
      for (const { name, run } of app.plane.periodicTasks) if (name === 'page_due') await run();
      await app.plane.delivery.runDue();
    },
    async pass(ms, ...sites) {
      for (let passed = 0; passed < ms;) {
        const step = Math.min(STEP_MS, ms - passed);
        app.clock.advance(step);
        passed += step;
        if (passed % MINUTE_MS === 0 && sites.length > 0) await stage.check(...sites);
        else await stage.work();
      }
    },
    async stop() {
      await app.stop();
      await Promise.all([mailServer.stop(), carrier.stop()]);
    },
  };
  return stage;
}

/** Makes a site fail and checks it at once. @returns the id of its incident */
export async function breakDown(stage: Stage, world: World, site: Site): Promise<string> {
  site.answers = BROKEN;
  // Each check has a separate scheduled time.
  stage.app.clock.advance(SECOND_MS);
  await stage.check(site);
  const { body } = await world.api('GET', `/api/v1/incident?monitorId=${site.id}&isClosed=false`);
  expect(body, 'one incident is open').to.have.length(1);
  return body[0].id as string;
}

export async function repair(stage: Stage, site: Site): Promise<void> {
  site.answers = UP;
  stage.app.clock.advance(MINUTE_MS);
  await stage.check(site);
}

/** @returns the events of an incident's timeline, in order */
export async function timelineOf(world: World, incidentId: string) {
  const { body } = await world.api('GET', `/api/v1/incident/${incidentId}`);
  return body.timeline as { at: string; type: string; actor: unknown; detail: Record<string, unknown> }[];
}

export function acknowledgeLinkIn(text: string): string {
  const link = /https?:\/\/\S+\/ack\/[\w-]+/.exec(text)?.[0];
  expect(link, `a link to acknowledge in: ${text}`).to.be.a('string');
  return link!;
}
