import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '@watchpost/shared/clock';
import { startTestApp, type TestApp } from '../../support/app.js';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { makeWorld, type World } from '../../support/seed.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { change, openIncident, openTogether, seedHook, seedWatched } from '../../support/seed-alerts.js';
import { startDelivery } from './live-delivery.js';

/** Slightly less than the deadline of an attempt. */
const SLOW_MS = 9_500;
const SLOTS = 64;

describe('webhook receivers that answer after 9.5 s', () => {
  let app: TestApp;
  let delivery: { stop(): Promise<void> };
  let fast: WebhookReceiver;
  let slow: WebhookReceiver;
  const timers = new Set<NodeJS.Timeout>();
  let answersAfterMs = SLOW_MS;

  beforeEach(async () => {
    app = await startTestApp({ clock: systemClock, env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
    [fast, slow] = await Promise.all([startWebhookReceiver(), startWebhookReceiver()]);
    answersAfterMs = SLOW_MS;
    slow.always((_call, response) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        response.writeHead(200).end();
      }, answersAfterMs);
      timers.add(timer);
    });
  });
  afterEach(async () => {
    // Open calls get no answer.
    for (const timer of timers) clearTimeout(timer);
    await Promise.all([fast.stop(), slow.stop()]);
    await delivery.stop();
    await app.stop();
  });

  /** Opens an incident and resolves once the receiver has it. */
  async function timeWebhook(world: World, monitorId: string): Promise<number> {
    const expected = fast.calls.length + 1;
    const started = performance.now();
    const incidentId = await openIncident(world, monitorId);
    await fast.received(expected);
    const took = fast.calls[expected - 1]!.atMs - started;
    await change(world, incidentId, { kind: 'recover' });
    await fast.received(expected + 1);
    return Math.round(took);
  }

  /** Resolves once the attack uses all the slots that it gets, so that no further call arrives for a second. */
  async function allTaken(): Promise<void> {
    await slow.received(SLOTS / 2);
    for (let before = -1; before !== slow.calls.length; await sleep(1_000)) before = slow.calls.length;
  }

  /** Lanes of the hostile owners that workers hold. */
  async function heldByOthers(victim: World): Promise<number> {
    const [row] = await app.sql<{ count: number }>(
      'SELECT count(*) FROM delivery_lane WHERE lease IS NOT NULL AND owner_id <> $1',
      [victim.owner.userId],
    );
    return row!.count;
  }

  /** Seeds two monitors whose incidents go to `hooks` slow receivers. @returns opens these incidents */
  async function seedAttack(world: World, hooks: number): Promise<() => Promise<unknown>> {
    const groups = [];
    for (let index = 0; index < hooks; index++) groups.push((await seedHook(world, `${slow.url}/${index}`)).id);
    const monitors = [await seedWatched(world, ...groups), await seedWatched(world, ...groups)];
    return () => openTogether(world, monitors);
  }

  it("do not delay another tenant's webhook", async () => {
    const victim = await makeWorld(app);
    const monitorId = await seedWatched(victim, (await seedHook(victim, fast.url)).id);
    delivery = startDelivery(app);
    await timeWebhook(victim, monitorId);
    const before = await timeWebhook(victim, monitorId);
    const hostile = await Promise.all(Array.from({ length: 4 }, () => makeWorld(app)));
    const attacks = await Promise.all(hostile.map((each) => seedAttack(each, 30)));
    await Promise.all(attacks.map((open) => open()));
    await allTaken();
    const during = Math.max(await timeWebhook(victim, monitorId), await timeWebhook(victim, monitorId));
    expect(await heldByOthers(victim), 'some slots are free for others').to.be.below(SLOTS);
    printFairnessFigure({
      attack: 5,
      measure: 'webhook after, ms',
      before,
      during,
      limit: 'before the calls of the attack',
    });
    expect(slow.calls.length, 'calls of the attack').to.be.below(4 * 30 * 2);
  });

  it("do not delay another tenant's webhook with 12 workspaces of one owner and two processes", async () => {
    const victim = await makeWorld(app);
    const monitorId = await seedWatched(victim, (await seedHook(victim, fast.url)).id);
    const hostile = await makeWorld(app);
    await app.setPlan('Enterprise', { webhookGroups: null }, hostile.owner);
    const attacks = [];
    for (let index = 0; index < 12; index++) {
      const { body } = await hostile.api<{ id: string }>('POST', '/api/v1/workspaces', { name: `No ${index}` });
      const world: World = {
        ...hostile,
        workspaceId: body.id,
        api: app.as(hostile.owner.sub, { workspaceId: body.id }),
      };
      attacks.push(await seedAttack(world, 12));
    }
    await Promise.all(attacks.map((open) => open()));
    delivery = startDelivery(app, 2);
    await allTaken();
    await timeWebhook(victim, monitorId);
    expect(await heldByOthers(victim), 'no more than half the slots of each process').to.be.at.most(SLOTS);
    expect(slow.calls.length, 'calls of the attack').to.be.below(12 * 12 * 2);
  });

  it('release their slots after a slice and get their messages in order', async () => {
    const world = await makeWorld(app);
    const groups = [];
    for (let hook = 0; hook < 40; hook++) groups.push((await seedHook(world, `${slow.url}/${hook}`)).id);
    answersAfterMs = 1_200;
    const monitors = [await seedWatched(world, ...groups), await seedWatched(world, ...groups)];
    await openTogether(world, monitors);
    delivery = startDelivery(app);
    await slow.received(80);
    const paths = slow.calls.map(({ path }) => path);
    expect(new Set(paths.slice(0, 40)), 'each has its first message before any has its second').to.have.length(40);
    for (const path of new Set(paths)) {
      const own = slow.calls.filter((call) => call.path === path);
      const about = own.map(({ body }) => JSON.parse(body).data.monitor.id as string);
      expect(about).to.deep.equal(monitors);
    }
  });
});
