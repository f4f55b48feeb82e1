import { expect } from 'chai';
import type { AlertEvent } from '@watchpost/control-plane/capabilities/channels/index';
import { cancelDeliveries, type Contact, notifyContacts } from '@watchpost/control-plane/capabilities/delivery/index';
import { openIncident, seedGroup, seedWatched, timelineOf } from '../../support/seed-alerts.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

describe('People who are notified beside the groups', () => {
  const app = appForSuite();
  const world = worldForEach(app);
  let event: AlertEvent;
  let incidentId: string;

  beforeEach(async () => {
    const monitorId = await seedWatched(world);
    incidentId = await openIncident(world, monitorId);
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
    event = {
      workspaceId: world.workspaceId,
      monitorKey: key,
      incidentId,
      atMs: app.clock.now(),
      type: 'incident.opened',
      detail: {},
    };
    await app.sql('DELETE FROM local_mail');
  });

  const run = () => app.plane.delivery.runDue();
  const ann = (): Contact => ({
    channel: 'email',
    address: 'ann@example.test',
    extra: { why: 'You are on call.', acknowledgeUrl: `${app.baseUrl}/acknowledge/abc` },
  });
  const page = (contacts: readonly Contact[], purpose: string) =>
    app.db.transaction((tx) => notifyContacts({ clock: app.clock }, tx, [{ event, contacts, purpose }]));
  const mails = () =>
    app.sql<{ recipient: string; text: string }>('SELECT recipient, text FROM local_mail ORDER BY id');

  it('learn why they are notified and how to acknowledge, and the groups are not notified again', async () => {
    const { id } = await seedGroup(world, 'email', { recipients: ['team@example.test'] });
    await app.sql('INSERT INTO action_group_monitor (group_id, monitor_key, attached) VALUES ($1, $2, now())', [
      id,
      event.monitorKey,
    ]);
    for (const purpose of ['page:1', 'page:2']) {
      await page([ann()], purpose);
      await run();
    }
    const got = await mails();
    expect(got.map(({ recipient }) => recipient).toSorted()).to.deep.equal([
      'ann@example.test',
      'ann@example.test',
      'team@example.test',
    ]);
    const own = got.find(({ recipient }) => recipient === 'ann@example.test')!;
    expect(own.text).to.include('You are on call.').and.to.include(`Acknowledge: ${app.baseUrl}/acknowledge/abc`);
    // The link remains only in the message.
    const kept = await app.sql('SELECT extra FROM delivery WHERE workspace_id = $1', [world.workspaceId]);
    expect(kept).to.deep.equal([{ extra: {} }, { extra: {} }, { extra: {} }]);
    const notified = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'notified');
    expect(notified.map(({ detail }) => detail.purpose)).to.have.members(['group', 'page:1', 'page:2']);
  });

  it('are not notified of an incident that was acknowledged before the message was sent', async () => {
    await page([ann()], 'page:1');
    const cancelled = await app.db.transaction((tx) =>
      cancelDeliveries(
        { clock: app.clock },
        tx,
        [{ workspaceId: world.workspaceId, incidentId, why: 'The incident was acknowledged.' }],
        'page',
      ),
    );
    expect(cancelled).to.equal(1);
    await run();
    expect(await mails()).to.deep.equal([]);
    const [row] = await app.sql('SELECT state, answer FROM delivery WHERE workspace_id = $1', [world.workspaceId]);
    expect(row).to.deep.equal({ state: 'cancelled', answer: 'The incident was acknowledged.' });
  });
});
