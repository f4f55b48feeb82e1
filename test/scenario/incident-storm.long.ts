import { expect } from 'chai';
import pg from 'pg';
import { readEmbeddedUrl } from '@watchpost/control-plane/embedded/postgres/index';
import { HOME_REGION, type Region } from '@watchpost/shared/region';
import { ask, forked } from '../bench/forked.js';
import type { StormOrder, StormReport } from '../bench/storm-fleet.js';
import type { HookCall, MailCall, ReceiverOrder, ReceiverPlaces, ReceiverReport } from '../bench/storm-receivers.js';
import { AWAY, makeStormWorld, type StormWorld } from '../bench/storm-world.js';
import { eventually } from '../support/eventually.js';
import { startProduct, type Product } from '../support/product.js';

const WORKSPACES = 10;
const SIZE = { owners: 5, workspaces: WORKSPACES, monitorsEach: 50, mailedEach: 10, intervalMs: 5_000 };
const ALL = WORKSPACES * SIZE.monitorsEach;
/** Delivery slots of webhooks and of alerts by mail: so many messages can be on their way when a process is killed. */
const SLOTS = { hooks: 64, mails: 16 };

type EventType = 'incident.opened' | 'incident.resolved';

interface Sent {
  /** A message to a person may contain several deliveries. */
  messageId: string;
  eventId: string;
  incidentId: string;
  channel: string;
  purpose: string;
  state: string;
  seq: number;
}

describe('500 incidents within seconds, and their end', function () {
  this.timeout(900_000);
  const cleanUps: (() => unknown)[] = [];
  const defer = (cleanUp: () => unknown) => void cleanUps.push(cleanUp);
  const receivers = () => ask<ReceiverReport>(receiving, { kind: 'report' } satisfies ReceiverOrder);
  let receiving: ReturnType<typeof forked>;
  let fleet: ReturnType<typeof forked>;
  let product: Product;
  let world: StormWorld;
  let regions: { region: Region; tokens: string[] }[];
  const hooks: HookCall[] = [];
  const mails: MailCall[] = [];

  before(async () => {
    receiving = forked('storm-receivers.js', defer);
    const places = await ask<ReceiverPlaces>(receiving, { kind: 'open', hooks: WORKSPACES } satisfies ReceiverOrder);
    product = await startProduct({
      hasOwnDatabase: true,
      env: {
        LOG_LEVEL: 'info',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        SMTP_URL: `smtp://127.0.0.1:${places.smtpPort}`,
        MAIL_FROM: 'Watchpost <alerts@watch.example>',
      },
    });
    defer(() => product.stop());
    world = await query((client) => makeStormWorld(product, client, SIZE, places.hooks));
    const tokenIn = async (region: Region) => (await product.createAgent(region, region)).token;
    regions = [
      { region: HOME_REGION, tokens: [await tokenIn(HOME_REGION)] },
      { region: AWAY, tokens: [await tokenIn(AWAY)] },
    ];
    fleet = forked('storm-fleet.js', defer);
  });
  after(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  /** Each time by a new connection: the database ends with the control plane. */
  async function query<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: (await readEmbeddedUrl(product.dataDir))! });
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  function check(outcome: StormOrder['outcome']): Promise<StormReport> {
    const monitorKeys = world.workspaces.flatMap(({ monitors }) => monitors.map(({ key }) => key));
    const order = { port: product.grpcPort, regions, monitorKeys, intervalMs: SIZE.intervalMs, outcome };
    return ask<StormReport>(fleet, order satisfies StormOrder);
  }

  async function collect(): Promise<void> {
    const report = await receivers();
    hooks.push(...report.hooks);
    mails.push(...report.mails);
  }

  const sentOf = (type: EventType): Promise<Sent[]> =>
    query(async (client) => {
      const { rows } = await client.query<Sent>(
        `SELECT coalesce(d.message_id, d.id) AS "messageId", d.event_id AS "eventId", e.incident_id AS "incidentId", d.channel, d.purpose, d.state, d.seq::integer AS seq
         FROM delivery d JOIN alert_event e ON e.id = d.event_id WHERE e.type = $1 ORDER BY d.seq`,
        [type],
      );
      return rows;
    });

  /** Lets the monitors change, and kills the control plane once so many messages have arrived. */
  async function stormWithKill(outcome: StormOrder['outcome'], type: EventType): Promise<void> {
    const answer = (most: number) => receiving.send({ kind: 'answer', most } satisfies ReceiverOrder);
    answer(ALL / 5);
    const checked = check(outcome);
    await eventually(
      'messages arrive',
      async () => {
        await collect();
        return hooks.filter((call) => call.type === type).length >= ALL / 5 || undefined;
      },
      240_000,
      20,
    );
    product.controlPlane.kill('SIGKILL');
    await product.controlPlane.ended(60_000);
    answer(Number.MAX_SAFE_INTEGER);
    await collect();
    await product.startControlPlane();
    await checked;
    // The lanes of the killed process are leased for up to 45 s.
    await eventually(
      'everything is sent',
      async () => {
        await collect();
        const waiting = (await sentOf(type)).filter(({ state }) => state === 'waiting').length;
        const { rows } = await query((client) =>
          client.query<{ count: number }>(
            `SELECT (SELECT count(*) FROM alert_event WHERE NOT fanned_out)::integer
               + (SELECT count(*) FROM incident_paging WHERE due_at <= now())::integer AS count`,
          ),
        );
        return (waiting === 0 && rows[0]!.count === 0) || undefined;
      },
      400_000,
      500,
    );
    await collect();
  }

  async function expectEachOnce(type: EventType): Promise<void> {
    const sent = await sentOf(type);
    expect(new Set(sent.map(({ state }) => state))).to.deep.equal(new Set(['delivered']));
    expect(new Set(sent.map(({ incidentId }) => incidentId)), 'one incident of each monitor').to.have.length(ALL);

    const calls = hooks.filter((call) => call.type === type);
    const once = [...new Map(calls.toReversed().map((call) => [call.id, call])).values()].toReversed();
    expect(new Set(once.map(({ monitorId }) => monitorId)), 'no webhook is lost').to.have.length(ALL);
    expect(once, 'no webhook has a second id').to.have.length(ALL);
    expect(calls.length - once.length, 'only what was on its way is repeated').to.be.at.most(SLOTS.hooks);
    const seq = new Map(sent.map((one) => [one.eventId, one.seq]));
    for (let hook = 0; hook < WORKSPACES; hook++) {
      const order = once.filter((call) => call.hook === hook).map(({ id }) => seq.get(id)!);
      expect(order, `receiver ${hook} gets them in order`).to.deep.equal(order.toSorted((a, b) => a - b));
    }

    const byMail = sent.filter(({ channel }) => channel === 'email');
    const pages = byMail.filter(({ purpose }) => purpose.startsWith('page'));
    expect(pages, 'each person on call is paged once for each incident').to.have.length(world.paged);
    const messages = new Set(byMail.map(({ messageId }) => messageId));
    const arrived = mails.map(({ id }) => id).filter((id) => messages.has(id));
    for (const { messageId } of byMail) expect(arrived, 'no mail is lost').to.include(messageId);
    expect(new Set(pages.map(({ messageId }) => messageId)).size, 'what waits for a person is joined').to.be.below(
      pages.length,
    );
    const both = [...(await sentOf('incident.opened')), ...(await sentOf('incident.resolved'))];
    const known = new Set(both.map(({ messageId }) => messageId));
    expect(
      mails.filter(({ id }) => !known.has(id)),
      'and none has a second id',
    ).to.deep.equal([]);
    expect(arrived.length - new Set(arrived).size, 'only what was on its way is repeated').to.be.at.most(SLOTS.mails);
  }

  it('lose no message and page nobody twice when the control plane is killed in the middle', async () => {
    await stormWithKill('down', 'incident.opened');
    await expectEachOnce('incident.opened');
  });

  it('recover the same way, after every receiver was notified that they began', async () => {
    await stormWithKill('up', 'incident.resolved');
    await expectEachOnce('incident.resolved');
    const begun = new Set<string>();
    for (const { type, hook, incidentId } of hooks) {
      if (type === 'incident.opened') begun.add(`${hook} ${incidentId}`);
      else expect(begun.has(`${hook} ${incidentId}`), 'the end comes after the beginning').to.equal(true);
    }
    const { rows } = await query((client) =>
      client.query<{ type: string; count: number }>(
        `SELECT type, count(*)::integer AS count FROM incident_event WHERE type IN ('opened', 'closed', 'notified', 'paged')
         GROUP BY type ORDER BY type`,
      ),
    );
    const messages = 2 * (ALL + world.mailed + world.paged);
    expect(rows, 'timelines have each of it once').to.deep.equal([
      { type: 'closed', count: ALL },
      { type: 'notified', count: messages },
      { type: 'opened', count: ALL },
      { type: 'paged', count: world.paged },
    ]);
  });
});
