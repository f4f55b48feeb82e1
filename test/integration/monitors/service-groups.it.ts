import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { DAY_MS } from '@watchpost/shared/time';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { lockTargets } from '@watchpost/control-plane/capabilities/monitors/index';
import { purgeMonitors } from '@watchpost/control-plane/capabilities/monitors/purge-monitors';
import { purgeServiceGroups } from '@watchpost/control-plane/capabilities/monitors/service-groups/purge-service-groups';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { createServiceGroup } from '@watchpost/control-plane/capabilities/monitors/service-groups/create-service-group';
import { deleteServiceGroup } from '@watchpost/control-plane/capabilities/monitors/service-groups/delete-service-group';
import { getMonitor } from '@watchpost/control-plane/capabilities/monitors/get-monitor';
import {
  getServiceGroup,
  listServiceGroups,
} from '@watchpost/control-plane/capabilities/monitors/service-groups/read-service-groups';
import { moveMonitors } from '@watchpost/control-plane/capabilities/monitors/service-groups/move-monitors';
import { renameServiceGroup } from '@watchpost/control-plane/capabilities/monitors/service-groups/rename-service-group';
import { restoreServiceGroup } from '@watchpost/control-plane/capabilities/monitors/service-groups/restore-service-group';
import { updateMonitor } from '@watchpost/control-plane/capabilities/monitors/update-monitor';
import { moveMonitorsSchema } from '@watchpost/control-plane/capabilities/monitors/service-groups/service-group-schemas';
import { faultOf, monitorDeps, NOON, schemas, seedActor, type TestMonitorDeps, URL_OF_SHOP } from './seed.js';
import { databaseForSuite } from '../../support/suite.js';

describe('service groups', () => {
  const test = databaseForSuite({ poolSize: 20 });
  let deps: TestMonitorDeps;
  let actor: Actor;

  beforeEach(async () => {
    deps = monitorDeps(test.database);
    actor = await seedActor(test.database, { limits: { monitors: 20 } });
  });

  const group = async (name = 'Shop', by = actor) => (await createServiceGroup(deps, by, { name, hostname: null })).id;
  const monitor = async (body: object, by = actor) =>
    (await createMonitor(deps, by, schemas.create.parse({ url: URL_OF_SHOP, ...body }))).monitor.id;
  const http = (serviceGroupId: string | null, body: object = {}) => monitor({ serviceGroupId, ...body });
  const latency = (serviceGroupId: string) => monitor({ serviceGroupId, monitorTypes: ['Latency'] });
  const change = (id: string, body: object) => updateMonitor(deps, actor, id, schemas.update.parse(body));
  const get = (id: string) => getServiceGroup(deps, actor, id);
  const membersOf = async (id: string) => (await get(id)).monitors.map((member) => member.id);
  const move = (from: string, to: string, monitorIds: string[], deleteSourceIfEmpty = false) =>
    moveMonitors(
      deps,
      actor,
      from,
      moveMonitorsSchema.parse({ monitorIds, targetServiceGroupId: to, deleteSourceIfEmpty }),
    );
  const sql = <Row extends object>(statement: string, values: readonly unknown[]) => test.sql<Row>(statement, values);
  const list = async (isDeleted: boolean) =>
    (await listServiceGroups(deps, actor, { isDeleted }, { limit: 50, offset: 0 })).items;

  /** Shows a monitor on a status page, on its own. */
  async function share(monitorId: string): Promise<void> {
    const { workspaceId } = actor.workspace;
    const pageId = newId(NOON);
    await sql(
      `INSERT INTO status_page (id, workspace_id, name, slug, description, is_published, show_incident_history, theme,
         group_names, created, last_modified)
       VALUES ($1::uuid, $2, 'Acme', $1::uuid::text, '', false, true, 'auto', '{All}', now(), now())`,
      [pageId, workspaceId],
    );
    await sql(
      `INSERT INTO status_page_system (id, workspace_id, page_id, group_index, place, name, monitor_id)
       VALUES ($1, $2, $3, 0, 0, 'Shop', $4)`,
      [newId(NOON), workspaceId, pageId, monitorId],
    );
  }

  it('list their monitors, and are about the host that these have in common', async () => {
    const id = await group();
    expect(await get(id)).to.deep.include({ name: 'Shop', hostname: null, monitors: [], routedTeamIds: [] });
    const [first, second] = [await http(id, { name: 'Front' }), await latency(id)];
    const shown = await get(id);
    expect(shown.hostname).to.equal('shop.example');
    expect(shown.monitors.map((member) => [member.id, member.monitorTypes])).to.deep.equal([
      [first, ['HttpAvailability']],
      [second, ['Latency']],
    ]);
    expect((await renameServiceGroup(deps, actor, id, { name: 'Store', hostname: 'acme.example' })).hostname).to.equal(
      'acme.example',
    );
    expect((await list(false)).map(({ name }) => name)).to.deep.equal(['Store']);
  });

  it('name the teams that they are routed to', async () => {
    const id = await group();
    const teamId = newId(NOON);
    await sql(
      `INSERT INTO team (id, workspace_id, name, description, created, last_modified)
       VALUES ($1, $2, 'Ops', '', now(), now())`,
      [teamId, actor.workspace.workspaceId],
    );
    await sql(
      'INSERT INTO team_service_group (team_id, service_group_id, workspace_id, created) VALUES ($1, $2, $3, now())',
      [teamId, id, actor.workspace.workspaceId],
    );
    expect((await get(id)).routedTeamIds).to.deep.equal([teamId]);
    expect((await list(false))[0]!.routedTeamIds).to.deep.equal([teamId]);
  });

  it('have one monitor per type, whichever way it would join', async () => {
    const id = await group();
    const first = await http(id);
    const second = await latency(id);
    const loose = await http(null);
    expect(await faultOf(http(id))).to.equal('monitor_type_conflict');
    expect(await faultOf(change(loose, { serviceGroupId: id }))).to.equal('monitor_type_conflict');
    expect(await faultOf(change(second, { monitorTypes: ['Latency', 'HttpAvailability'] }))).to.equal(
      'monitor_type_conflict',
    );
    await change(first, { serviceGroupId: null });
    await change(loose, { serviceGroupId: id });
    expect(await membersOf(id)).to.deep.equal([second, loose]);
  });

  it('take certificates and names of a host beside its site, and no TcpUdp, whichever way it would join', async () => {
    actor = await seedActor(test.database, { plan: 'Enterprise' });
    const id = await group();
    const site = await http(id);
    const others = await monitor({ serviceGroupId: id, monitorTypes: ['SslCertificate', 'Dns'] });
    expect(await faultOf(monitor({ serviceGroupId: id, monitorTypes: ['Dns'] }))).to.equal('monitor_type_conflict');
    const service = await monitor({ url: 'tcp://shop.example:22', monitorTypes: ['TcpUdp'] });
    expect(await faultOf(change(service, { serviceGroupId: id }))).to.equal('validation_failed');
    const turned = change(others, { url: 'tcp://shop.example:22', monitorTypes: ['TcpUdp'] });
    expect(await faultOf(turned)).to.equal('validation_failed');
    expect(await membersOf(id)).to.deep.equal([site, others]);
  });

  it('take one of the many monitors that would join at once', async () => {
    const id = await group();
    const loose = await Promise.all(Array.from({ length: 6 }, () => http(null)));
    const outcomes = await Promise.all([
      ...loose.map((monitorId) => faultOf(change(monitorId, { serviceGroupId: id }))),
      ...Array.from({ length: 6 }, () => faultOf(http(id))),
    ]);
    expect(outcomes.filter((code) => code === undefined)).to.have.length(1);
    expect(outcomes.filter((code) => code === 'monitor_type_conflict')).to.have.length(11);
    expect(await membersOf(id)).to.have.length(1);
  });

  it('are found in their own workspace only, and not once deleted', async () => {
    const stranger = await seedActor(test.database);
    const theirs = await group('Theirs', stranger);
    expect(await faultOf(http(theirs))).to.equal('not_found');
    expect(await faultOf(change(await http(null), { serviceGroupId: theirs }))).to.equal('not_found');
    for (const work of [
      () => get(theirs),
      () => renameServiceGroup(deps, actor, theirs, { name: 'Mine' }),
      () => deleteServiceGroup(deps, actor, theirs),
      async () => move(theirs, await group(), [newId(NOON)]),
      () => restoreServiceGroup(deps, actor, theirs),
    ]) {
      expect(await faultOf(work())).to.equal('not_found');
    }
    const id = await group();
    const lock = () =>
      test.database.transaction((tx) =>
        lockTargets(tx, actor.workspace.workspaceId, { monitorIds: [], serviceGroupIds: [id] }),
      );
    await lock();
    await deleteServiceGroup(deps, actor, id);
    expect(await faultOf(lock())).to.equal('not_found');
    expect(await faultOf(http(id))).to.equal('not_found');
    expect(await faultOf(deleteServiceGroup(deps, actor, id))).to.equal('not_found');
  });

  describe('moving monitors', () => {
    it('leaves them running as they are', async () => {
      const [from, to] = [await group('From'), await group('To')];
      const [first, second] = [await http(from), await latency(from)];
      const before = await getMonitor(deps, actor, first);
      deps.changes.length = 0;
      const { source, target } = await move(from, to, [first]);
      expect(source!.monitors.map((member) => member.id)).to.deep.equal([second]);
      expect(target.monitors.map((member) => member.id)).to.deep.equal([first]);
      const { monitor: after } = await getMonitor(deps, actor, first);
      expect(after).to.deep.include({ serviceGroupId: to, nextCheck: before.monitor.nextCheck });
      expect(deps.changes.map(({ kind, checksChanged }) => [kind, checksChanged])).to.deep.equal([['updated', false]]);
    });

    it('moves all or none', async () => {
      const [from, to] = [await group('From'), await group('To')];
      const [first, second] = [await http(from), await latency(from)];
      await latency(to);
      expect(await faultOf(move(from, to, [first, second]))).to.equal('monitor_type_conflict');
      expect(await faultOf(move(from, to, [first, newId(NOON)]))).to.equal('not_found');
      expect(await faultOf(move(from, from, [first]))).to.equal('validation_failed');
      expect(await membersOf(from)).to.deep.equal([first, second]);
      expect(await membersOf(to)).to.have.length(1);
    });

    it('deletes the source once it is empty, where asked to', async () => {
      const [from, to] = [await group('From'), await group('To')];
      const [first, second] = [await http(from), await latency(from)];
      expect((await move(from, to, [first], true)).source).to.deep.include({ id: from });
      expect((await move(from, to, [second], true)).source).to.equal(null);
      expect(await faultOf(get(from))).to.equal('not_found');
      expect((await restoreServiceGroup(deps, actor, from)).monitors).to.deep.equal([]);
      expect(await membersOf(to)).to.deep.equal([first, second]);
    });

    it('in both directions at once neither loses a monitor nor breaks the rule', async () => {
      const [one, other] = [await group('One'), await group('Other')];
      const [first, second] = [await http(one), await latency(other)];
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          faultOf(index % 2 === 0 ? move(one, other, [first]) : move(other, one, [second])),
        ),
      );
      expect(outcomes.filter((code) => code !== undefined && code !== 'not_found')).to.deep.equal([]);
      expect([...(await membersOf(one)), ...(await membersOf(other))]).to.have.members([first, second]);
    });
  });

  describe('deletion', () => {
    it('stops the monitors of the group, and restoring within 90 days brings back both', async () => {
      const id = await group();
      const first = await http(id, { http: { headers: { authorization: 'Bearer secret' } } });
      const second = await latency(id);
      deps.changes.length = 0;
      await deleteServiceGroup(deps, actor, id);
      expect(await faultOf(get(id))).to.equal('not_found');
      expect(await faultOf(getMonitor(deps, actor, first))).to.equal('not_found');
      expect(deps.changes.map(({ kind, monitorId }) => [kind, monitorId])).to.deep.equal([
        ['deleted', first],
        ['deleted', second],
      ]);
      const [deleted] = await list(true);
      expect(deleted!.monitors.map((member) => member.id)).to.deep.equal([first, second]);
      expect(deleted).to.deep.include({ deletedAt: iso(NOON), purgeAt: iso(NOON + 90 * DAY_MS) });

      deps.clock.advance(90 * DAY_MS - 1);
      expect(await purgeMonitors(deps)).to.equal(0);
      expect(await purgeServiceGroups(deps)).to.equal(0);
      deps.changes.length = 0;
      const restored = await restoreServiceGroup(deps, actor, id);
      expect(restored).to.deep.include({ deletedAt: null, purgeAt: null });
      expect(await membersOf(id)).to.deep.equal([first, second]);
      expect(deps.changes.map(({ kind, checksChanged }) => [kind, checksChanged])).to.deep.equal([
        ['restored', true],
        ['restored', true],
      ]);
      const { monitor: back } = await getMonitor(deps, actor, first);
      expect(back).to.deep.include({ monitoringStatus: 'enabled', nextCheck: iso(deps.clock.now()) });
      const [row] = await sql<{ secrets: Buffer | null }>('SELECT secrets FROM monitor WHERE id = $1', [first]);
      expect(row!.secrets).to.not.equal(null);
      expect(await list(true)).to.deep.equal([]);
      expect(await faultOf(restoreServiceGroup(deps, actor, id))).to.equal('not_found');
    });

    it('is for good after 90 days, for the group and for the monitors that went with it', async () => {
      const id = await group();
      const first = await http(id);
      await deleteServiceGroup(deps, actor, id);
      deps.clock.advance(90 * DAY_MS);
      expect(await faultOf(restoreServiceGroup(deps, actor, id))).to.equal('not_found');
      expect(await list(true)).to.deep.equal([]);
      expect(await purgeServiceGroups(deps)).to.be.at.least(1);
      expect(await sql('SELECT 1 FROM monitor WHERE id = $1', [first])).to.deep.equal([]);
      expect(await sql('SELECT 1 FROM service_group WHERE id = $1', [id])).to.deep.equal([]);
      expect(await purgeServiceGroups(deps)).to.equal(0);
    });

    it('spares monitors that a status page shows on their own: they run on, without a group', async () => {
      const id = await group();
      const [shared, own] = [await http(id), await latency(id)];
      await share(shared);
      deps.changes.length = 0;
      await deleteServiceGroup(deps, actor, id);
      expect((await getMonitor(deps, actor, shared)).monitor.serviceGroupId).to.equal(null);
      expect(deps.changes.map(({ kind, checksChanged }) => [kind, checksChanged])).to.have.deep.members([
        ['updated', false],
        ['deleted', true],
      ]);
      await restoreServiceGroup(deps, actor, id);
      expect(await membersOf(id)).to.deep.equal([own]);
      expect((await getMonitor(deps, actor, shared)).monitor.serviceGroupId).to.equal(null);
    });

    it('does not count towards the plan, and restoring counts again, all together or not at all', async () => {
      actor = await seedActor(test.database, { limits: { monitors: 3 } });
      const id = await group();
      await http(id);
      await latency(id);
      await deleteServiceGroup(deps, actor, id);
      const more = [await http(null), await http(null)];
      expect(await faultOf(restoreServiceGroup(deps, actor, id))).to.equal('plan_limit_exceeded');
      await change(more[0]!, { name: 'Still there' });
      expect(await list(true)).to.have.length(1);
      const raced = await Promise.all([
        faultOf(http(null)),
        faultOf(restoreServiceGroup(deps, actor, id)),
        faultOf(restoreServiceGroup(deps, actor, id)),
      ]);
      expect(raced).to.deep.equal([undefined, 'plan_limit_exceeded', 'plan_limit_exceeded']);
    });

    it('at once with a joining monitor leaves no monitor in a deleted group', async () => {
      for (let round = 0; round < 5; round++) {
        const id = await group();
        const loose = await http(null);
        await Promise.all([
          faultOf(deleteServiceGroup(deps, actor, id)),
          faultOf(change(loose, { serviceGroupId: id })),
        ]);
        const stranded = await sql(
          `SELECT 1 FROM monitor JOIN service_group g ON g.id = monitor.service_group_id
           WHERE g.id = $1 AND g.deleted_at IS NOT NULL AND monitor.deleted_at IS NULL`,
          [id],
        );
        expect(stranded).to.deep.equal([]);
        await sql('UPDATE monitor SET deleted_at = now() WHERE id = $1', [loose]);
      }
    });

    it('of the whole workspace leaves nothing to restore, and tombstones for the agents', async () => {
      const id = await group();
      const first = await http(id, { http: { headers: { authorization: 'Bearer secret' } } });
      await deleteServiceGroup(deps, actor, id);
      await sql('DELETE FROM workspace WHERE id = $1', [actor.workspace.workspaceId]);
      const rows = await sql('SELECT secrets, buried_with FROM monitor WHERE id = $1', [first]);
      expect(rows).to.deep.equal([{ secrets: null, buried_with: null }]);
      deps.clock.advance(8 * DAY_MS);
      expect(await purgeMonitors(deps)).to.be.at.least(1);
    });
  });
});

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
