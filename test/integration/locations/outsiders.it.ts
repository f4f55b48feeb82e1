import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import type { Json } from '../../support/product.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { linkTo } from '../incidents/seed-evidence.js';
import { DOWN, NOON, resultOf, resultsDeps, UP } from '../results/seed.js';

/** What only members of the workspace may read of a location. */
const SECRETS = /zanzibar|quetzal|private:|10\.99\.|rack-42/i;

describe('Outsiders', () => {
  const app = appForSuite();
  let world: World;
  beforeEach(async () => {
    app.clock.set(NOON);
    world = await makeWorld(app, 'Enterprise');
  });

  it('read nothing of a private location on pages, badges, feeds, calendars and shared evidence, and members read its slug', async () => {
    const location = await create(world.api, '/api/v1/private-locations', {
      name: 'Zanzibar vault',
      slug: 'zanzibar',
      labels: { floor: 'Quetzal' },
      allowCidrs: ['10.99.0.0/16'],
    });
    await create(world.api, `/api/v1/private-locations/${location.id}/agents`, { name: 'rack-42' });
    const settings = { name: 'Intranet', url: 'https://intranet.example/', numberOfChecksBeforeAlert: 1 };
    const at = { privateLocations: ['zanzibar'], homeRegion: false };
    const { id: monitorId } = await create(world.api, '/api/v1/monitor', { ...settings, ...at });
    const slug = `page-${newId(NOON).slice(-8)}`;
    const group = { name: 'Sites', systems: [{ name: 'Intranet', monitorId }] };
    const page = await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug,
      isPublished: true,
      groups: [group],
    });
    const [{ key }] = (await app.sql<{ key: number }>('SELECT key FROM monitor WHERE id = $1', [monitorId])) as [
      { key: number },
    ];
    const agent = {
      agentId: newId(NOON),
      agentKey: 7,
      region: 'private:#100' as const,
      location: { id: location.id, workspaceId: world.workspaceId },
    };
    const results = { ...resultsDeps(app.db), clock: app.clock };
    for (const [minute, outcome] of [UP, DOWN, DOWN].entries()) {
      app.clock.set(NOON + minute * MINUTE_MS + 500);
      await ingestBatch(results, agent, [resultOf(key, NOON + minute * MINUTE_MS, outcome)]);
    }
    app.clock.advance(6_000);
    const [incident] = (await world.api('GET', '/api/v1/incident')).body;
    expect(incident).to.deep.include({ monitorId, regions: ['private:zanzibar'] });
    await create(world.api, '/api/v1/maintenance-windows', {
      name: 'Works',
      scope: { monitorIds: [monitorId] },
      startsAt: '2026-11-21T14:00:00',
      duration: 'PT1H',
      statusPageIds: [page.id],
    });
    const evidence = await linkTo(app, incident.id);
    for (const path of [
      `/api/v1/public/status-page/${slug}`,
      ...['', '/badge.svg', '/feed.atom', '/maintenance.ics'].map((end) => `/status/${slug}${end}`),
      new URL(evidence).pathname + new URL(evidence).search,
    ]) {
      const answer = await fetch(app.baseUrl + path, { headers: { accept: 'text/html, */*' } });
      const text = await answer.text();
      expect(answer.status, path).to.equal(200);
      expect(text, path).not.to.match(SECRETS);
      expect([...answer.headers.values()].join(), path).not.to.match(SECRETS);
    }
    const report: Json = (await world.api('POST', `/api/v1/monitor/${monitorId}/report/generate`, { format: 'html' }))
      .body;
    expect(report, 'a report is sent to others').not.to.match(SECRETS);
    for (const path of ['results', 'availability', 'latency'])
      expect(JSON.stringify((await world.api('GET', `/api/v1/monitor/${monitorId}/${path}`)).body), path).to.contain(
        'private:zanzibar',
      );
    const resultsOf = (region: string) => world.api('GET', `/api/v1/monitor/${monitorId}/results?region=${region}`);
    const { body: own } = await resultsOf('private:zanzibar');
    expect(own).to.have.length(3);
    expect(own[0]).to.include({ region: 'private:zanzibar', regionName: 'Zanzibar vault' });
    expect((await resultsOf('northeurope')).body).to.deep.equal([]);
    expect((await resultsOf('private:elsewhere')).body.details).to.deep.equal([
      { path: 'region', message: 'names no private location of this workspace' },
    ]);
    const shown = (await world.api('GET', `/api/v1/incident/${incident.id}/evidence`)).body;
    expect(JSON.stringify(shown)).to.contain('private:zanzibar').and.not.contain('private:#');
  });
});
