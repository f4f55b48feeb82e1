import { expect } from 'chai';
import { makeWorld, type World } from '../../support/seed.js';
import { openIncident, seedHook, seedWatched, timelineOf } from '../../support/seed-alerts.js';
import { appForSuite, receiverForEach } from '../../support/suite.js';

describe('events of one tenant that cannot be fanned out', () => {
  const app = appForSuite({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  let attacker: World;
  let victim: World;
  let incidentId: string;
  const hook = receiverForEach();

  beforeEach(async () => {
    [attacker, victim] = [await makeWorld(app), await makeWorld(app)];
    for (const world of [attacker, victim]) {
      const group = await seedHook(world, `${hook.url}/${world === victim ? 'victim' : 'attacker'}`);
      const opened = await openIncident(world, await seedWatched(world, group.id));
      if (world === attacker) incidentId = opened;
    }
  });

  const run = () => app.plane.delivery.runDue();
  const callsOf = (name: string) => hook.calls.filter(({ path }) => path === `/${name}`).length;

  it('are given up with one line of the log and one on the timeline, and hold up no message of another', async () => {
    await app.sql(
      `ALTER TABLE delivery ADD CONSTRAINT refused CHECK (workspace_id <> '${attacker.workspaceId}') NOT VALID`,
    );
    try {
      await run();
    } finally {
      await app.sql('ALTER TABLE delivery DROP CONSTRAINT refused');
    }
    expect([callsOf('victim'), callsOf('attacker')]).to.deep.equal([1, 0]);
    const lines = app.warnings.filter(({ msg }) => msg === 'an event could not be fanned out');
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ workspaceId: attacker.workspaceId });
    await run();
    const failed = (await timelineOf(attacker, incidentId)).filter(({ type }) => type === 'notification_failed');
    expect(failed.map(({ detail }) => detail.event)).to.deep.equal(['incident.opened']);
    expect(failed[0]!.detail.reason).to.match(/^The channels of the monitor were not notified/);
  });

  it('wait while their rows are locked, and hold up no message of another', async () => {
    await app.db.transaction(async (tx) => {
      await tx.query('SELECT FROM action_group WHERE workspace_id = $1 FOR UPDATE', [attacker.workspaceId]);
      await run();
      expect([callsOf('victim'), callsOf('attacker')]).to.deep.equal([1, 0]);
    });
    await run();
    expect([callsOf('victim'), callsOf('attacker')]).to.deep.equal([1, 1]);
  });

  it('wait while they are locked themselves, as by a deletion of the workspace, and hold up no message of another', async () => {
    await app.db.transaction(async (tx) => {
      await tx.query('SELECT FROM alert_event WHERE workspace_id = $1 FOR UPDATE', [attacker.workspaceId]);
      await run();
      expect([callsOf('victim'), callsOf('attacker')]).to.deep.equal([1, 0]);
    });
    await run();
    expect([callsOf('victim'), callsOf('attacker')]).to.deep.equal([1, 1]);
  });
});
