import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { makeWorld, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';
import { seedServiceGroup } from '../../contract/examples/service-groups.js';

describe('What a monitor depends on', () => {
  const app = appForSuite();
  const world = worldForEach(app, 'Enterprise');

  const set = (id: string, dependsOn: unknown) => world.api('PUT', `/api/v1/monitor/${id}`, { dependsOn });
  const read = async (id: string): Promise<Json> => (await world.api('GET', `/api/v1/monitor/${id}`)).body;
  const faultsOf = ({ status, body }: Json) => [status, ...body.details.map(({ path }: Json) => path)];

  it('is a list of monitors of its workspace, each once, and is in its audit entry', async () => {
    const [host, db] = [await seedMonitor(world, { name: 'Host' }), await seedMonitor(world, { name: 'DB' })];
    const { body: shop } = await world.api('POST', '/api/v1/monitor', {
      url: 'https://shop.example/',
      dependsOn: [db.id, host.id, db.id],
    });
    expect(shop.dependsOn).to.deep.equal([host.id, db.id].toSorted());
    expect((await set(shop.id, [host.id])).body.dependsOn).to.deep.equal([host.id]);
    expect((await set(shop.id, [host.id])).body.lastModified).to.equal((await read(shop.id)).lastModified);
    const { body: entries } = await world.api(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?targetId=${shop.id}`,
    );
    expect(entries.find(({ action }: Json) => action === 'monitor.updated').changes).to.deep.include({
      dependsOn: { from: [host.id, db.id].toSorted(), to: [host.id] },
    });
  });

  it('is refused with every fault at once: itself, circles, strangers and too many', async () => {
    const monitors = [];
    for (const name of ['Host', 'DB', 'API']) monitors.push((await seedMonitor(world, { name })).id);
    const [host, db, api] = monitors as [string, string, string];
    const other = await makeWorld(app, 'Enterprise');
    const foreign = (await seedMonitor(other)).id;
    expect((await set(db, [host])).status).to.equal(200);
    expect((await set(api, [db])).status).to.equal(200);
    const wanted = [api, host, foreign].toSorted();
    const refused = await world.api('PUT', `/api/v1/monitor/${host}`, { dependsOn: wanted, http: { body: 'x' } });
    expect(faultsOf(refused)).to.have.members([400, 'http.body', ...[0, 1, 2].map((at) => `dependsOn.${at}`)]);
    const messages = Object.fromEntries(refused.body.details.map(({ path, message }: Json) => [path, message]));
    expect(messages[`dependsOn.${wanted.indexOf(api)}`]).to.equal(
      'closes a circle: "API", which depends on "DB", which depends on this monitor',
    );
    expect(messages[`dependsOn.${wanted.indexOf(host)}`]).to.equal('is the monitor itself');
    expect(messages[`dependsOn.${wanted.indexOf(foreign)}`]).to.equal('is not a monitor of this workspace');
    const many = Array.from({ length: 11 }, (_, index) => host.slice(0, -2) + String(10 + index));
    expect(faultsOf(await set(api, many))).to.deep.equal([400, 'dependsOn']);
    expect(faultsOf(await set(api, ['shop']))).to.deep.equal([400, 'dependsOn.0']);
    const made = await world.api('POST', '/api/v1/monitor', { url: 'https://shop.example/', dependsOn: [foreign] });
    expect(faultsOf(made)).to.deep.equal([400, 'dependsOn.0']);
  });

  it('has no circle, even where two changes at the same time would close one together', async () => {
    for (let round = 0; round < 8; round++) {
      const [a, b] = [(await seedMonitor(world)).id, (await seedMonitor(world)).id];
      const answers = await Promise.all([set(a, [b]), set(b, [a])]);
      expect(answers.map(({ status }) => status)).to.have.members([200, 400]);
    }
  });

  it('leaves out monitors that are deleted, until they are restored, which closes no circle', async () => {
    const group = await seedServiceGroup(world);
    const host = (await seedMonitor(world, { name: 'Host', serviceGroupId: group })).id;
    const [shop, db] = [(await seedMonitor(world)).id, (await seedMonitor(world)).id];
    await set(shop, [host]);
    await set(host, [db]);
    expect((await world.api('DELETE', `/api/v1/service-group/${group}`)).status).to.equal(204);
    expect((await read(shop)).dependsOn).to.deep.equal([]);
    const refused = await set(db, [shop]);
    expect(refused.body.details[0].message).to.include('"Host" (deleted, can be restored)');
    expect((await world.api('POST', `/api/v1/service-group/${group}/restore`)).status).to.equal(200);
    expect((await read(shop)).dependsOn).to.deep.equal([host]);
    // Sent as it was answered, it is what it was.
    expect((await set(shop, (await read(shop)).dependsOn)).status).to.equal(200);
  });
});
