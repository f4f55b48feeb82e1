import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { answer as dnsAnswer, certificate, down } from '../integration/verdicts/detail-seed.js';
import { seedGroup } from '../support/seed-alerts.js';
import { agentIn, resultOf, resultsDeps, UP } from '../integration/results/seed.js';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { findTraces } from '../support/find-traces.js';
import { create, seedMonitor, type World } from '../support/seed.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { breakDown, repair, type Site, type Stage, startStage } from './stage.js';

/** A number that occurs nowhere else in the database. */
const FIRST_KEY = 7_123_456_789;
/** Tables that are append-only by contract and have a retention time of their own. */
const KEPT_BY_CONTRACT = new Set(['audit_entry', 'audit_event', 'audit_log']);

interface Victims {
  site: Site;
  /** Ids and keys of everything that must be purged. */
  texts: string[];
  incidentTexts: string[];
}

describe('the purge of deleted data', () => {
  let stage: Stage;
  let world: World;
  let chat: WebhookReceiver;
  let pages = 0;

  before(async () => {
    [stage, chat] = await Promise.all([startStage(), startWebhookReceiver()]);
    await stage.app.sql(`ALTER TABLE monitor ALTER COLUMN key RESTART WITH ${FIRST_KEY}`);
  });
  after(async () => {
    await stage?.stop();
    await chat?.stop();
  });
  beforeEach(async () => {
    world = await stage.newWorld();
  });

  const traces = async (texts: readonly string[]) =>
    (await findTraces(stage.app, texts)).filter((table) => !KEPT_BY_CONTRACT.has(table));
  const deps = () => ({ ...resultsDeps(stage.app.db), clock: stage.app.clock, partitions: stage.app.plane.partitions });

  /** Makes everything that monitors of a group can leave: checks, outages, evidence, alerts, pages, posts. */
  async function seedHistory(): Promise<Victims> {
    const { app } = stage;
    const ann = await stage.join(world, 'ann', { hasPhone: true });
    const site = await stage.watch(world);
    await stage.routeTo(world, site, { turns: [ann], leads: [ann] });
    const hook = await seedGroup(world, 'webhook', { name: 'Hook', url: `${chat.url}/webhook` });
    const others: string[] = [];
    for (const type of ['SslCertificate', 'Dns']) {
      const settings = { name: type, monitorTypes: [type], serviceGroupId: site.serviceGroupId };
      others.push((await seedMonitor(world, { ...settings, numberOfChecksBeforeAlert: 1 })).id);
    }
    const ids = [site.id, ...others];
    for (const id of ids) await create(world.api, `/api/v1/action-groups/${hook.id}/monitors/${id}`);
    await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug: `purged-${++pages}`,
      isPublished: true,
      notifyIncidents: true,
      groups: [{ name: 'Sites', systems: [{ name: 'Shop', serviceGroupId: site.serviceGroupId }] }],
    });
    const path = `/api/v1/public/status-page/purged-${pages}/subscribers`;
    await create(app.anonymous, path, { email: 'visitor@example.com' });
    await app.sql('UPDATE status_page_subscriber SET confirmed_at = created');
    await stage.check(site);
    const incidentId = await breakDown(stage, world, site);
    await create(world.api, `/api/v1/incident/${incidentId}/notes`, { note: 'We look.' });
    await create(world.api, `/api/v1/incident/${incidentId}`, { acknowledged: true }, 'PATCH');
    await stage.pass(2 * MINUTE_MS, site);
    for (const { name, run } of app.plane.periodicTasks) if (name.startsWith('notify_subscribers')) await run();
    await repair(stage, site);
    const keys = await app.sql<{ key: number }>('SELECT key FROM monitor WHERE id = ANY ($1) ORDER BY key', [ids]);
    const details = [
      [certificate(3), down('certificate_expiring', 'The certificate expires in 3 days.')],
      [dnsAnswer({ A: ['192.0.2.1'] }), UP],
      [dnsAnswer({ A: ['192.0.2.2'] }), UP],
    ] as const;
    for (const [index, [detail, outcome]] of details.entries()) {
      app.clock.advance(MINUTE_MS);
      const { key } = keys[detail.kind === 'ssl' ? 1 : 2]!;
      const result = { ...resultOf(key, app.clock.now() - 1_000 - index, outcome, detail.kind), detail };
      await ingestBatch(deps(), agentIn('northeurope'), [result]);
    }
    await app.sql(
      `INSERT INTO second_opinion (monitor_key, kind, region, streak_since, asked) VALUES ($1, 1, 1, $2, $2)`,
      [site.key, new Date(app.clock.now())],
    );
    await stage.work();
    // The time passes so that its hours and its day are rolled up.
    app.clock.advance(DAY_MS + 2 * HOUR_MS);
    await job('roll_up_results');
    await job('refresh_days');
    await stage.check(site);
    const now = new Date(app.clock.now());
    await app.sql('INSERT INTO dirty_bucket (monitor_key, starts_at, is_day) VALUES ($1, $2, true)', [site.key, now]);
    await app.plane.partitions.ensureFor([app.clock.now()]);
    await app.sql('INSERT INTO check_answer (monitor_key, day, hash, content) VALUES ($1, $2, gen_random_uuid(), $3)', [
      site.key,
      now,
      '{}',
    ]);
    const incidents = await app.sql<{ id: string }>('SELECT id FROM incident WHERE monitor_id = ANY ($1)', [ids]);
    return {
      site,
      texts: [...ids, ...keys.map(({ key }) => String(key)), site.serviceGroupId],
      incidentTexts: incidents.map(({ id }) => id),
    };
  }

  async function job(name: string): Promise<void> {
    await stage.app.plane.jobs.find((one) => one.name === name)!.run();
  }
  /** Purges the events of the deletions, too. The clock of the database decides: they are kept for ten minutes. */
  async function passEvents(): Promise<void> {
    await stage.app.sql(`UPDATE workspace_event SET at = at - interval '11 minutes'`);
    await job('purge_events');
  }
  /** Runs every job once and sends what is due, without the rollups of all hours that the clock skipped. */
  async function allJobs(): Promise<void> {
    await stage.work();
    for (const { name, run } of stage.app.plane.jobs) if (name !== 'roll_up_results') await run();
    await passEvents();
  }

  it('removes a group 90 days after its deletion, with everything that its monitors left in any table', async () => {
    const { site, texts, incidentTexts } = await seedHistory();
    const kept = await stage.watch(world, 'Kept');
    const keptIncident = await breakDown(stage, world, kept);
    await repair(stage, kept);
    expect(await traces([...texts, ...incidentTexts])).to.include.members([
      'action_group_monitor',
      'alert_event',
      'check_answer',
      'check_detail',
      'check_failure',
      'check_result',
      'check_rollup',
      'check_rollup_day',
      'last_answer',
      'monitor_day',
      'incident',
      'incident_event',
      'incident_note',
      'incident_paging',
      'monitor',
      'monitor_state',
      'acknowledge_link',
      'series',
      'dirty_bucket',
      'second_opinion',
      'service_group',
      'status_page_system',
      'status_page_notified_outage',
      'team_service_group',
      'notified_change',
    ]);
    await create(world.api, `/api/v1/service-group/${site.serviceGroupId}`, undefined, 'DELETE');
    stage.app.clock.advance(90 * DAY_MS - 1);
    await job('purge_deleted_service_groups');
    await job('purge_deleted_monitors');
    expect(await traces(incidentTexts), 'the group can still be restored').to.include('incident_note');
    stage.app.clock.advance(DAY_MS);
    await allJobs();
    expect(await traces([...texts, ...incidentTexts])).to.deep.equal([]);
    expect((await world.api('GET', `/api/v1/incident/${keptIncident}`)).status).to.equal(200);
    expect(await traces([String(kept.key)])).to.include.members(['monitor', 'incident', 'check_result']);
  });

  it('keeps only the incidents of a monitor a week after its deletion, and the workspace still shows them', async () => {
    const { site, texts, incidentTexts } = await seedHistory();
    await create(world.api, `/api/v1/monitor/${site.id}`, undefined, 'DELETE');
    stage.app.clock.advance(7 * DAY_MS + HOUR_MS);
    await allJobs();
    const own = [site.id, String(site.key)];
    expect(await traces(own), 'only incidents and the messages of the last 30 days are left').to.deep.equal([
      'alert_event',
      'incident',
      'incident_paging',
    ]);
    stage.app.clock.advance(30 * DAY_MS);
    await allJobs();
    expect(await traces(own)).to.deep.equal(['incident', 'incident_paging']);
    expect((await world.api('GET', `/api/v1/incident/${incidentTexts[0]}`)).status).to.equal(200);
    expect(await traces(texts.slice(1, 3)), 'the other monitors of the group are left').to.include('monitor');
  });

  it('leaves nothing of a workspace and its account a week after their deletion', async () => {
    const { texts, incidentTexts } = await seedHistory();
    const { owner, workspaceId } = world;
    const members = await stage.app.sql<{ id: string }>(
      'SELECT id FROM workspace_member WHERE workspace_id = $1 AND user_id <> $2',
      [workspaceId, owner.userId],
    );
    for (const { id } of members)
      await create(world.api, `/api/v1/workspaces/${workspaceId}/members/${id}`, undefined, 'DELETE');
    await create(world.api, `/api/v1/workspaces/${workspaceId}`, undefined, 'DELETE');
    await create(owner.api, `/api/v1/user/${owner.userId}`, undefined, 'DELETE');
    stage.app.clock.advance(7 * DAY_MS + HOUR_MS);
    await allJobs();
    const account = [owner.userId, owner.email, owner.workspaceId];
    expect(await traces([...texts, ...incidentTexts, workspaceId, ...account])).to.deep.equal([]);
  });

  it('deletes results in portions of a limited size', async () => {
    const { id } = await seedMonitor(world);
    const key = await stage.app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
    const now = stage.app.clock.now();
    await stage.app.plane.partitions.ensureFor([now - DAY_MS]);
    for (const daysAgo of [0, 1])
      await stage.app.sql(
        `INSERT INTO check_result (monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us,
           transfer_us, agent_key, start_lag_ms, fresh_s, status_code, kind, region, outcome)
         SELECT $1, $2::timestamptz - n * interval '1 ms', 1, 1, 1, 1, 1, 1, 7, 2, 150, 200, 1, 1, 1
         FROM generate_series(1, 25000) AS n`,
        [key, new Date(now - daysAgo * DAY_MS)],
      );
    await create(world.api, `/api/v1/monitor/${id}`, undefined, 'DELETE');
    stage.app.clock.advance(7 * DAY_MS + HOUR_MS);
    await job('purge_deleted_monitors');
    await passEvents();
    expect(await traces([id, String(key)])).to.deep.equal([]);
  });
});
