import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { cleanLine } from '@watchpost/shared/clean-line';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { channelOf } from '@watchpost/control-plane/capabilities/channels/index';
import { sampleEvents } from '@watchpost/control-plane/capabilities/channels/samples/sample-events';
import { queueEvents } from '@watchpost/control-plane/capabilities/delivery/index';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { startTestApp, type TestApp } from '../../support/app.js';
import type { Seen } from '../../support/channel-services/channel-service.js';
import { answering, CHANNEL_SERVICES, type StandIn, startStandIn } from '../../support/channel-services/stand-in.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { startProcess } from '../../support/managed-process.js';
import { create, makeWorld, seedHeartbeat, type World } from '../../support/seed.js';
import { change, openIncident, seedGroup, seedWatched } from '../../support/seed-alerts.js';
import { type Behaviour, hang } from '../../support/webhook-receiver.js';

const WORKER = fileURLToPath(new URL('../../support/delivery-process.js', import.meta.url));
/** What people may call a monitor; some of it by the database alone. */
const NAMES = [
  '<!channel> *[x](https://evil.example)* & <b>bold</b>',
  '@everyone @here @channel @all @room <@U123> #general :tada:',
  'first\r\n# second\n> third\u0007',
  'long '.repeat(40).trim(),
  '👩‍👩‍👧‍👦 ⚠️ 🙂',
  '\u202eشركة\u2066 _x_ ~y~ `z` ||w||',
];
const REFUSED = 'The server at 203.0.113.7:443 refused the connection.';
const TYPES = Object.keys(CHANNEL_SERVICES) as (keyof typeof CHANNEL_SERVICES)[];
/** So much of a name is in every message, however short its title must be. */
const SHOWN = 40;
/** All but a program of the user's, and a service that has one link for a message. */
const LINKED = new Set<string>(TYPES.filter((type) => type !== 'webhook' && type !== 'incidentIo'));
type Step = (typeof STEPS)[number][0];
/** What happens in a life, and how messages about it begin. */
const STEPS = [
  ['opened', 'Down', 'incident.opened'],
  ['acknowledged', 'Acknowledged', 'incident.acknowledged'],
  ['partial', 'Partly down', 'incident.updated'],
  ['recovered', 'Recovered', 'incident.resolved'],
  ['certificate', 'Certificate expires', 'monitor.certificate_expiring'],
  ['DNS', 'DNS changed', 'monitor.dns_changed'],
  ['domain', 'Domain expires', 'monitor.domain_expiring'],
  ['heartbeat', 'Down', 'incident.opened'],
  ['test', 'Test', null],
] as const;

function isUnacknowledged(step: Step): boolean {
  return step === 'opened' || step === 'heartbeat';
}

function stateIn(title: string): string | undefined {
  return ['Recovered', 'Acknowledged', 'Down'].find((word) => title.toLowerCase().includes(word.toLowerCase()));
}

describe('Every channel', () => {
  const secretKey = randomBytes(32);
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-channels-'));
  const services = new Map<string, StandIn>();
  let app: TestApp;
  let env: Record<string, string>;

  before(async () => {
    for (const type of TYPES) services.set(type, await startStandIn(type));
    env = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
    for (const { service, receiver } of services.values())
      if (service.variable !== undefined) env[service.variable] = receiver.url;
    app = await startTestApp({ env, secretBox: createSecretBox(secretKey) });
  });
  after(async () => {
    await app?.stop();
    for (const { receiver } of services.values()) await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = () => app.plane.delivery.runDue();
  const of = (type: string) => services.get(type)!;

  /** Makes a workspace with a group of each channel. @returns it, and the ids of the groups by type */
  async function populate(name = 'Team'): Promise<{ world: World; groups: Map<string, string> }> {
    const world = await makeWorld(app);
    const groups = new Map<string, string>();
    for (const type of TYPES) {
      const { service, receiver } = of(type);
      groups.set(type, (await seedGroup(world, type, { name, ...service.group(receiver.url) })).id);
    }
    return { world, groups };
  }

  /** A monitor with this name, whose events all groups get. */
  async function watch({ world, groups }: Awaited<ReturnType<typeof populate>>, name: string): Promise<string> {
    const id = await seedWatched(world, ...groups.values());
    await rename(id, name);
    return id;
  }

  const rename = (id: string, name: string) => app.sql('UPDATE monitor SET name = $2 WHERE id = $1', [id, name]);

  /** Does something, and sends. @returns what each service took meanwhile */
  async function seenOf(act: () => Promise<unknown>): Promise<Map<string, Seen[]>> {
    const before = new Map(TYPES.map((type) => [type as string, of(type).messages.length]));
    await act();
    await run();
    return new Map(TYPES.map((type) => [type, of(type).messages.slice(before.get(type))]));
  }

  function expectSafe(seen: Seen, name: string): void {
    expect(seen.text, 'text of users stays as it is').to.include(cleanLine(name).slice(0, SHOWN));
    for (const url of seen.links) expect(url, 'users make no links').to.match(new RegExp(`^${app.baseUrl}/`));
  }

  describe('in the life of a monitor', () => {
    const seen = new Map<Step, Map<string, Seen[]>>();
    const opened = new Map<string, Map<string, Seen[]>>();

    before(async () => {
      const there = await populate(NAMES[0]);
      const { world, groups } = there;
      const monitorId = await watch(there, NAMES[0]!);
      let incidentId = '';
      const patch = (body: object) => create(world.api, `/api/v1/incident/${incidentId}`, body, 'PATCH');
      const notice = async (type: string) => {
        const [{ key }] = (await app.sql<{ key: number }>('SELECT key FROM monitor WHERE id = $1', [monitorId])) as [
          { key: number },
        ];
        const about = { workspaceId: world.workspaceId, workspaceName: '', monitor: { id: monitorId } as never };
        const [event] = sampleEvents(about, app.clock.now()).filter((one) => one.type === type);
        await app.db.transaction((tx) =>
          queueEvents(app, tx, [{ ...event!, monitorKey: key, incidentId: null, detail: event!.detail }]),
        );
      };
      const acts: Record<Step, () => Promise<unknown>> = {
        opened: async () => void (incidentId = await openIncident(world, monitorId)),
        acknowledged: () => patch({ acknowledged: true }),
        partial: () => change(world, incidentId, { kind: 'update', severity: 'partial', regions: ['northeurope'] }),
        recovered: () => change(world, incidentId, { kind: 'recover' }),
        certificate: () => notice('monitor.certificate_expiring'),
        DNS: () => notice('monitor.dns_changed'),
        domain: () => notice('monitor.domain_expiring'),
        heartbeat: async () => {
          const { id } = await seedHeartbeat(world);
          for (const groupId of groups.values())
            await create(world.api, `/api/v1/action-groups/${groupId}/monitors/${id}`);
          await rename(id, NAMES[0]!);
          await openIncident(world, id);
        },
        test: async () => {
          for (const id of groups.values()) await create(world.api, `/api/v1/action-groups/${id}/test`);
        },
      };
      for (const [step] of STEPS) {
        app.clock.advance(MINUTE_MS);
        seen.set(step, await seenOf(acts[step]));
      }
      for (const name of NAMES) {
        await rename(monitorId, name);
        const reason = `Step “${name}”: ${REFUSED}`;
        opened.set(name, await seenOf(async () => void (incidentId = await openIncident(world, monitorId, reason))));
        await change(world, incidentId, { kind: 'recover' });
        await run();
      }
    });

    for (const type of TYPES)
      it(`${type} takes every message, once each, and text of users stays text`, () => {
        expect(of(type).refused).to.deep.equal([]);
        for (const [step, words, eventType] of STEPS) {
          const isSkipped = eventType !== null && channelOf(type).skips?.includes(eventType) === true;
          const messages = seen.get(step)!.get(type)!;
          // What edits a message may be followed by a reply.
          const most = channelOf(type).edit ? 2 : 1;
          expect(messages.length, step).to.be.within(isSkipped ? 0 : 1, isSkipped ? 0 : most);
          for (const message of messages) {
            expect(message.text, step).to.include(words);
            if (step !== 'test') expectSafe(message, NAMES[0]!);
            if (step === 'opened') expect(message.links, 'the evidence').to.not.be.empty;
            if (LINKED.has(type)) {
              const acknowledging = message.links.filter((url) => /\/console\/w\/[-0-9a-f]{36}\/incidents\//.test(url));
              expect(acknowledging, `${step}: a link where it can be acknowledged`).to.have.length(
                isUnacknowledged(step) ? 1 : 0,
              );
            }
          }
        }
        for (const name of NAMES) {
          const messages = opened.get(name)!.get(type)!;
          expect(messages, name).to.have.length(1);
          expectSafe(messages[0]!, name);
          expect(messages[0]!.text, 'with the reason, which names the step').to.include('Step “').and.include(REFUSED);
        }
      });
  });

  it('shows a refusal in words of ours', async () => {
    app.clock.advance(20 * MINUTE_MS);
    const { world, groups } = await populate();
    for (const [type, id] of groups) {
      const { receiver, service, obey } = of(type);
      receiver.always(answering(service.refusal.answer));
      const { body } = await world.api('POST', `/api/v1/action-groups/${id}/test`);
      receiver.always(obey);
      expect(body.delivered, type).to.equal(false);
      expect(body.deliveries[0].answer, type).to.equal(service.refusal.shown);
    }
  });

  it('sends again what was not taken, in order, and loses and doubles nothing when a worker is killed', async function () {
    const there = await populate();
    const monitorId = await watch(there, 'Retried');
    const counts = () => TYPES.map((type) => of(type).receiver.calls.length);
    for (const { receiver, busy } of services.values()) receiver.next(busy(30), answering({ status: 500 }));
    const seen = await seenOf(async () => {
      const incidentId = await openIncident(there.world, monitorId);
      await create(there.world.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
      await change(there.world, incidentId, { kind: 'recover' });
      const before = counts();
      const called = (times: number) => before.map((count) => count + times);
      await run();
      expect(counts(), 'too fast').to.deep.equal(called(1));
      app.clock.advance(29 * SECOND_MS);
      await run();
      expect(counts(), 'it waits as long as it is asked to').to.deep.equal(called(1));
      app.clock.advance(SECOND_MS);
      await run();
      expect(counts(), 'at fault').to.deep.equal(called(2));
      app.clock.advance(40 * SECOND_MS);
      // Where the service recognises a message, the worker is killed after it was taken.
      for (const { receiver, service, lose } of services.values()) receiver.always(service.keyOf ? lose : hang);
      const { issuer, audience } = app.issuer;
      const worker = startProcess({
        args: [WORKER, String(app.clock.now()), secretKey.toString('hex')],
        env: { ...env, DATABASE_URL: app.databaseUrl, OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience },
        logFile: join(folder, 'worker.log'),
      });
      await Promise.all(TYPES.map((type, index) => of(type).receiver.received(called(3)[index]!)));
      worker.kill('SIGKILL');
      await worker.ended(30_000);
      for (const { receiver, obey } of services.values()) receiver.always(obey);
      app.clock.advance(30 * SECOND_MS);
      await run();
      app.clock.advance(60 * MINUTE_MS);
    });
    for (const type of TYPES) {
      const words = ['Down', 'Acknowledged', 'Recovered'].filter(
        (word) => word !== 'Acknowledged' || !channelOf(type).skips?.includes('incident.acknowledged'),
      );
      const states = seen.get(type)!.map(({ text }) => stateIn(text.trim().split('\n')[0]!));
      const isReply = (at: number) => channelOf(type).edit !== undefined && at > 0 && states[at] === states[at - 1];
      expect(
        states.filter((_, at) => !isReply(at)),
        type,
      ).to.deep.equal(words);
    }
  });

  it('sends to one tenant while the receiver of another hangs', async () => {
    const [stuck, fine] = [await populate(), await populate()];
    const held: (() => void)[] = [];
    for (const { receiver, obey } of services.values()) {
      const hold: Behaviour = (call, response: ServerResponse, request) => {
        if (call.body.includes('Stuck')) held.push(() => obey(call, response, request));
        else obey(call, response, request);
      };
      receiver.always(hold);
    }
    let running: Promise<unknown> | undefined;
    try {
      await openIncident(stuck.world, await watch(stuck, 'Stuck'));
      running = run();
      await eventually(
        'every service is stuck',
        () => (held.length >= TYPES.length ? true : undefined),
        PATIENCE_MS,
        10,
      );
      const before = TYPES.map((type) => of(type).messages.length);
      await openIncident(fine.world, await watch(fine, 'Fine'));
      const second = run();
      await eventually(
        'the other tenant has its messages',
        () => (TYPES.every((type, index) => of(type).messages.length > before[index]!) ? true : undefined),
        PATIENCE_MS,
        10,
      );
      expect(held, 'nothing was let go').to.have.length(TYPES.length);
      running = Promise.all([running, second]);
    } finally {
      for (const { receiver, obey } of services.values()) receiver.always(obey);
      for (const go of held) go();
      await running;
    }
  });
});
