import { expect } from 'chai';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { CheckKind } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { RpcClient } from '../integration/mcp/rpc-client.js';
import { agentIn, BROKEN, resultOf, resultsDeps, UP } from '../integration/results/seed.js';
import { seedGroup } from '../support/seed-alerts.js';
import { create, type World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import { type Person, type Site, startStage } from './stage.js';

/** The site fails in these regions, and works in the home region. */
const FAILING: Region[] = ['eastus2', 'japaneast'];
const SUBSCRIBER = 'subscriber@example.test';

interface Failing {
  world: World;
  site: Site;
  ann: Person;
  slug: string;
  incidentId: string;
}

const put = (settings: object) => (of: Failing) =>
  create(of.world.api, `/api/v1/monitor/${of.site.id}`, settings, 'PUT');
/** How an incident ends while its site is still down. */
const WAYS: Record<string, { end: (of: Failing) => Promise<unknown>; kind?: CheckKind }> = {
  'the monitor is paused': { end: put({ monitoringStatus: 'paused' }) },
  'the monitor is disabled': { end: put({ monitoringStatus: 'disabled' }) },
  'the monitor is deleted': { end: ({ world, site }) => world.api('DELETE', `/api/v1/monitor/${site.id}`) },
  'the monitor no longer checks for it': { end: put({ monitorTypes: ['SslCertificate'] }), kind: 'ssl' },
  'the regions where it failed are removed': { end: put({ enabledRegions: [] }) },
  'the plan covers fewer monitors': {
    end: ({ world }) => world.app.setPlan('Enterprise', { monitors: 0 }, world.owner),
  },
};

describe('an incident that ends without a recovery', function () {
  const stage = startedForSuite(() => startStage());
  const receiver = startedForSuite(() => startWebhookReceiver());
  let pages = 0;

  async function file({ key }: Site, outcomes: Partial<Record<Region, typeof UP>>, kind?: CheckKind): Promise<void> {
    const { app } = stage;
    app.clock.advance(SECOND_MS);
    const deps = { ...resultsDeps(app.db), clock: app.clock, partitions: app.plane.partitions };
    for (const [region, outcome] of Object.entries(outcomes))
      await ingestBatch(deps, agentIn(region as Region), [
        { ...resultOf(key, app.clock.now(), outcome, kind), answer: 'verified' as const },
      ]);
  }

  async function work(): Promise<void> {
    for (const { name, run } of stage.app.plane.periodicTasks)
      if (name.startsWith('notify_subscribers') || name === 'silence') await run();
    await stage.work();
  }

  /** A failing site of which everybody has heard who can. */
  async function seedFailing(): Promise<Failing> {
    const world = await stage.newWorld();
    const ann = await stage.join(world, 'ann');
    const site = await stage.watch(world);
    await create(world.api, `/api/v1/monitor/${site.id}`, { enabledRegions: FAILING }, 'PUT');
    await stage.routeTo(world, site, { turns: [ann], leads: [ann] });
    for (const { id } of [
      await seedGroup(world, 'email', { recipients: ['group@example.test'] }),
      await seedGroup(world, 'webhook', { url: `${receiver.url}/webhook` }),
      await seedGroup(world, 'slack', { webhookUrl: `${receiver.url}/chat` }),
    ])
      await create(world.api, `/api/v1/action-groups/${id}/monitors/${site.id}`);
    const slug = `ended-${++pages}`;
    const page = await create(world.api, '/api/v1/status-page', {
      ...{ name: 'Acme', slug, isPublished: true, notifyIncidents: true, showIncidentHistory: true },
      groups: [{ name: 'Sites', systems: [{ name: 'Shop', monitorId: site.id }] }],
    });
    await stage.app.sql(
      `INSERT INTO status_page_subscriber (id, workspace_id, page_id, email, email_key, asked_since, created, confirmed_at)
       SELECT gen_random_uuid(), $1, $2, $3, $3, $4, $4, $4`,
      [world.workspaceId, page.id, SUBSCRIBER, new Date(stage.app.clock.now())],
    );
    receiver.calls.length = 0;
    await file(site, { northeurope: UP, eastus2: BROKEN, japaneast: BROKEN });
    await file(site, { northeurope: UP, eastus2: BROKEN, japaneast: BROKEN });
    const { body } = await world.api('GET', `/api/v1/incident?monitorId=${site.id}&isClosed=false`);
    expect(body, 'one incident is open').to.have.length(1);
    await work();
    stage.app.clock.advance(MINUTE_MS);
    await work();
    return { world, site, ann, slug, incidentId: body[0].id };
  }

  /** All that each receiver has of the incident, as text. */
  async function heardBy({ world, site, ann, slug, incidentId }: Failing): Promise<Record<string, string>> {
    const { app } = stage;
    const mailsTo = (to: string) => stage.mails(to).map(({ subject, text, html }) => `${subject}\n${text}\n${html}`);
    const callsTo = (path: string) => receiver.calls.filter((call) => call.path === path).map(({ body }) => body);
    const text = async (path: string) => (await fetch(app.baseUrl + path)).text();
    const client = new RpcClient(app.baseUrl, {
      token: await app.token(world.owner.sub),
      headers: { 'x-workspace-id': world.workspaceId },
    });
    await client.initialize('2025-06-18');
    const { result } = await client.tool('get_incident', { incidentId });
    const shared = await world.api('POST', `/api/v1/incident/${incidentId}/evidence-links`);
    const evidence = new URL(shared.body.url as string).pathname;
    const report = await world.api('POST', `/api/v1/monitor/${site.id}/report/generate`, {});
    return {
      'the group by mail': mailsTo('group@example.test').join('\n'),
      'who was paged': mailsTo(ann.email).join('\n'),
      subscribers: mailsTo(SUBSCRIBER).join('\n'),
      webhooks: callsTo('/webhook').join('\n'),
      chat: callsTo('/chat').join('\n'),
      'the public page': await text(`/status/${slug}`),
      'its feed': await text(`/status/${slug}/feed.atom`),
      'its API': JSON.stringify((await app.anonymous('GET', `/api/v1/public/status-page/${slug}`)).body),
      REST: JSON.stringify((await world.api('GET', `/api/v1/incident/${incidentId}`)).body),
      'the evidence': JSON.stringify((await world.api('GET', `/api/v1/incident/${incidentId}/evidence`)).body),
      'the evidence page': await text(evidence),
      MCP: result.content[0].text as string,
      'the report': JSON.stringify(report.body.incidents ?? {}),
    };
  }

  /** The places where a recovery is stated, not one that is unknown. */
  function recoveriesIn(text: string): string[] {
    return text
      .replace(/whether they have recovered is not known|not seen to recover|needs more\./g, '')
      .replace(/<style[\s\S]*?<\/style>/g, '')
      .split('\n')
      .flatMap((line) => /.{0,60}(recovered|All is well|is over\b).{0,40}/i.exec(line)?.[0] ?? []);
  }

  for (const [way, { end, kind }] of Object.entries(WAYS))
    it(`is a recovery for nobody where ${way}`, async () => {
      const failing = await seedFailing();
      const before = await heardBy(failing);
      for (const [who, text] of Object.entries(before)) expect(recoveriesIn(text), `before, ${who}`).to.deep.equal([]);
      await end(failing);
      await file(failing.site, { northeurope: UP }, kind);
      await work();
      stage.app.clock.advance(10 * MINUTE_MS);
      await file(failing.site, { northeurope: UP }, kind);
      await work();
      const { body } = await failing.world.api('GET', `/api/v1/incident/${failing.incidentId}`);
      expect(body.isClosed, 'it is over').to.equal(true);
      const after = await heardBy(failing);
      for (const [who, text] of Object.entries(after)) expect(recoveriesIn(text), who).to.deep.equal([]);
      for (const who of ['the group by mail', 'who was paged', 'subscribers', 'webhooks', 'chat'])
        expect(after[who], `${who} heard of the end`).to.have.length.above(before[who]!.length);
      expect(after['subscribers']).to.include('[Acme] The outage is no longer watched');
      for (const who of ['the group by mail', 'who was paged', 'chat'])
        expect(after[who], who).to.include('The incident was closed because');
      // Of a deleted monitor there is none.
      if (way !== 'the monitor is deleted') expect(after['the report']).to.include('"totalTimeToRecovery":null');
    });
});
