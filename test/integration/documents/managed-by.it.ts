import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { countQueries } from '../../support/query-count.js';
import { makeWorld } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

/** The path of each kind in REST, and the key of the object in the document. */
const KINDS: Readonly<Record<string, readonly [path: string, key: string]>> = {
  serviceGroups: ['service-group', 'g'],
  actionGroups: ['action-groups', 'a'],
  privateLocations: ['private-locations', 'l'],
  monitors: ['monitor', 'm'],
  statusPages: ['status-page', 'p'],
  maintenanceWindows: ['maintenance-windows', 'w'],
  teams: ['teams', 't'],
};

describe('`managedBy` of an object', () => {
  const app = appForSuite();
  const world = worldForSuite(app, 'Enterprise');

  before(async () => {
    const document = documentOf('managed');
    const applied = await world.api('POST', '/api/v1/config/apply', { document });
    expect(applied.status, JSON.stringify(applied.body)).to.equal(200);
  });

  const documentOf = (name: string) => ({
    apiVersion: 'watchpost/v1',
    project: 'shop',
    serviceGroups: { g: { name } },
    actionGroups: { a: { type: 'slack', name, webhookUrl: 'https://hooks.slack.com/services/T1/B1/secret1' } },
    privateLocations: { l: { name, slug: 'office', notifyActionGroups: ['a'] } },
    monitors: { m: { name, url: 'https://shop.example/' } },
    statusPages: { p: { name, slug: `page-${world.workspaceId.slice(-12)}` } },
    maintenanceWindows: { w: { name, startsAt: '2027-01-03T02:00', duration: 'PT1H', scope: { all: true } } },
    teams: { t: { name } },
  });
  const list = async (kind: string): Promise<Json[]> => (await world.api('GET', `/api/v1/${KINDS[kind]![0]}`)).body;

  for (const [kind, [resource, key]] of Object.entries(KINDS)) {
    it(`names project and key in lists and answers of ${kind}, and is null where no document manages it`, async () => {
      const [managed] = await list(kind);
      expect(managed).to.deep.include({ name: 'managed', managedBy: { project: 'shop', key } });
      const path = `/api/v1/${resource}/${managed.id}`;
      expect((await world.api('GET', path)).body.managedBy).to.deep.equal({ project: 'shop', key });
      const detached = await world.api('POST', '/api/v1/config/detach', { project: 'shop', objects: [{ kind, key }] });
      expect(detached.body).to.deep.equal({ detached: 1 });
      expect((await world.api('GET', path)).body.managedBy).to.equal(null);
      expect((await list(kind))[0]).to.deep.include({ managedBy: null });
    });
  }

  it('costs no statement of its own', async () => {
    const other = await makeWorld(app, 'Enterprise');
    const monitors = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, { url: `https://m${at}.example/` }]));
    const statements: number[] = [];
    for (const count of [1, 20]) {
      const document = { apiVersion: 'watchpost/v1', project: 'many', monitors: monitors(count) };
      expect((await other.api('POST', '/api/v1/config/apply', { document })).status).to.equal(200);
      const read = () => other.api('GET', '/api/v1/monitor');
      // The first request of a caller also reads who it is.
      await read();
      statements.push(await countQueries(read));
    }
    expect(statements[0]).to.equal(statements[1]);
  });
});
