import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { create, type World } from '../support/seed.js';
import {
  answer,
  type Behaviour,
  hangUp,
  type ReceivedCall,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.js';
import { deliveriesOf, seedHook } from '../support/seed-alerts.js';
import { startedForSuite } from '../support/suite.js';
import { breakDown, repair, type Site, startStage, timelineOf } from './stage.js';

describe('a webhook receiver', () => {
  const stage = startedForSuite(() => startStage());
  let world: World;
  let site: Site;
  let receiver: WebhookReceiver;
  let hook: { id: string; secret: string };
  /** The calls that the receiver answered with 2xx. */
  let taken: ReceivedCall[];

  beforeEach(async () => {
    world = await stage.newWorld();
    site = await stage.watch(world);
    receiver = await startWebhookReceiver();
    taken = [];
    receiver.always(takes);
    hook = await seedHook(world, receiver.url);
    await create(world.api, `/api/v1/action-groups/${hook.id}/monitors/${site.id}`);
  });
  afterEach(() => receiver.stop());

  const takes: Behaviour = (call, response) => {
    taken.push(call);
    response.writeHead(204).end();
  };
  const typeOf = ({ body }: ReceivedCall) => (JSON.parse(body) as { type: string }).type;
  const idOf = ({ headers }: ReceivedCall) => headers['webhook-id'];
  /** Verifies a call as a receiver does. The library refuses a call older than five minutes by the wall clock. */
  function verify(call: ReceivedCall, secret: string): unknown {
    const realNow = Date.now;
    Date.now = () => stage.app.clock.now();
    try {
      return new Webhook(secret).verify(call.body, call.headers);
    } finally {
      Date.now = realNow;
    }
  }

  it('that is down for 40 minutes then gets each event exactly once, in order and with a valid signature', async () => {
    const downs = [hangUp, answer(503), answer(502), hangUp];
    let count = 0;
    receiver.always((...call) => downs[count++ % downs.length]!(...call));
    const incidentId = await breakDown(stage, world, site);
    await stage.pass(10 * MINUTE_MS, site);
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
    await world.api('POST', `/api/v1/incident/${incidentId}/notes`, { note: 'The disk is full.' });
    await stage.pass(15 * MINUTE_MS, site);
    await repair(stage, site);
    await stage.pass(14 * MINUTE_MS, site);
    expect(taken).to.have.length(0);
    expect(count, 'it is tried as often as the retry schedule allows').to.equal(5);
    expect(new Set(receiver.calls.map(idOf)), 'no event overtakes the first one').to.have.length(1);

    receiver.always(takes);
    await stage.pass(20 * MINUTE_MS, site);
    expect(taken.map(typeOf)).to.deep.equal([
      'incident.opened',
      'incident.acknowledged',
      'incident.note_added',
      'incident.resolved',
    ]);
    expect(new Set(taken.map(idOf))).to.have.length(4);
    expect(JSON.parse(taken[0]!.body).data.incident, 'the event contains the state at its time').to.include({
      acknowledged: false,
      isClosed: false,
    });
    for (let hour = 0; hour < 24; hour++) {
      stage.app.clock.advance(HOUR_MS);
      await stage.work();
    }
    expect(taken, 'no event is repeated').to.have.length(4);
    const deliveries = await deliveriesOf(world, hook.id);
    expect(deliveries.map(({ state, attempts }) => [state, attempts])).to.deep.equal([
      ['delivered', 1],
      ['delivered', 1],
      ['delivered', 1],
      ['delivered', 6],
    ]);
    const events = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notified');
    expect(events).to.have.length(4);
  });

  it('can distinguish genuine messages from forged and replayed ones', async () => {
    await breakDown(stage, world, site);
    const [call] = taken;
    expect(verify(call!, hook.secret)).to.deep.include({ type: 'incident.opened' });
    expect(() => verify({ ...call!, body: call!.body.replace('opened', 'closed') }, hook.secret)).to.throw();
    expect(() => verify(call!, `whsec_${Buffer.alloc(32, 1).toString('base64')}`)).to.throw();
    stage.app.clock.advance(6 * MINUTE_MS);
    expect(() => verify(call!, hook.secret), 'a replayed message is refused').to.throw();
  });

  it('works while its secret is changed: both secrets are valid for 24 hours, then only the new one', async () => {
    const { secret } = await create<{ secret: string }>(world.api, `/api/v1/action-groups/${hook.id}/rotate-secret`);
    const isRight = (call: ReceivedCall, by: string) => {
      try {
        verify(call, by);
        return true;
      } catch {
        return false;
      }
    };
    const both = (call: ReceivedCall) => [isRight(call, hook.secret), isRight(call, secret)];
    const rotated = stage.app.clock.now();
    await breakDown(stage, world, site);
    expect(both(taken[0]!)).to.deep.equal([true, true]);
    stage.app.clock.set(rotated + 24 * HOUR_MS - MINUTE_MS - SECOND_MS);
    await repair(stage, site);
    expect(both(taken[1]!), 'a second before the 24 hours end').to.deep.equal([true, true]);
    stage.app.clock.set(rotated + 24 * HOUR_MS);
    await breakDown(stage, world, site);
    expect(both(taken[2]!)).to.deep.equal([false, true]);
  });
});
