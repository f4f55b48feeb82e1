import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { answer, certificate, down, observedResult, type Observation } from '../verdicts/detail-seed.js';
import { agentIn, NOON, resultsDeps, type MonitorSeed } from '../results/seed.js';
import { appForSuite } from '../../support/suite.js';

interface Status {
  monitorId: string;
  checkedAt: string | null;
  daysUntilExpiry: number | null;
  failureReason: string | null;
  fingerprint256: string | null;
  region: string | null;
  [field: string]: unknown;
}

interface DnsHistory {
  schedule: { checkInterval: string; lastChecked: string | null; nextCheck: string | null };
  history: { checkedAt: string; changed: boolean; changes: unknown[]; records: object; failureReason: string | null }[];
}

describe('The SSL status and the histories over REST', () => {
  const app = appForSuite();
  let monitor: MonitorSeed;
  let path: string;

  beforeEach(async () => {
    app.clock.set(NOON - MINUTE_MS);
    const { body } = await app.api<{ id: string; workspaceId: string }>('POST', '/api/v1/monitor', {
      url: 'https://shop.example/',
      monitorTypes: ['SslCertificate', 'Dns'],
      checkInterval: 'PT1M',
    });
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [body.id]);
    monitor = { id: body.id, key, workspaceId: body.workspaceId };
    path = `/api/v1/monitor/${monitor.id}`;
  });

  const observe = async (minute: number, observation: Observation) => {
    app.clock.set(NOON + minute * MINUTE_MS + 500);
    const deps = { ...resultsDeps(app.db), clock: app.clock };
    await ingestBatch(deps, agentIn(observation.region ?? 'northeurope'), [
      observedResult(monitor, minute, observation),
    ]);
  };
  const get = async <Body>(url: string) => (await app.api<Body>('GET', url)).body;

  it('contain every field, with null, before the first check', async () => {
    const status = await get<Status>(`${path}/ssl-status`);
    expect(status.monitorId).to.equal(monitor.id);
    const { monitorId: _, ...fields } = status;
    expect(Object.keys(fields)).to.include.members([
      'checkedAt',
      'isValid',
      'chain',
      'ocspStapled',
      'failureReason',
      'region',
    ]);
    expect(Object.values(fields).every((value) => value === null)).to.equal(true);
    expect(await get(`${path}/ssl-history`)).to.deep.equal([]);
    expect((await get<{ sslStatus: unknown }>(path)).sslStatus).to.equal(null);
    const { schedule, history } = await get<DnsHistory>(`${path}/dns-history`);
    expect(history).to.deep.equal([]);
    expect(schedule).to.include({ checkInterval: 'PT1M', lastChecked: null });
    expect(schedule.nextCheck).to.be.a('string');
  });

  it('show the certificate of the latest check, as the monitor does', async () => {
    await observe(0, { detail: certificate(30) });
    await observe(1, { detail: certificate(29, { fingerprint256: 'CC:03' }) });
    const status = await get<Status>(`${path}/ssl-status`);
    expect(status).to.deep.include({
      checkedAt: new Date(NOON + MINUTE_MS + 3).toISOString(),
      isValid: true,
      daysUntilExpiry: 29,
      fingerprint256: 'CC:03',
      chainTrusted: true,
      region: 'northeurope',
      failureReason: null,
    });
    expect((await get<{ sslStatus: object }>(path)).sslStatus).to.deep.include({ daysUntilExpiry: 29, isValid: true });
    const listed = await get<{ id: string; sslStatus: object }[]>('/api/v1/monitor');
    expect(listed.find(({ id }) => id === monitor.id)!.sslStatus).to.deep.include({ daysUntilExpiry: 29 });
  });

  it('show no certificate and the reason where the host did not answer', async () => {
    await observe(0, { detail: certificate(30) });
    await observe(1, { kind: 'ssl', outcome: down('connection_refused', 'The server refused the connection.') });
    const status = await get<Status>(`${path}/ssl-status`);
    expect(status).to.deep.include({
      daysUntilExpiry: null,
      isValid: null,
      fingerprint256: null,
      failureReason: 'The server refused the connection.',
    });
    const history = await get<Status[]>(`${path}/ssl-history`);
    expect(history.map((entry) => entry.daysUntilExpiry)).to.deep.equal([null, 30]);
  });

  it('are listed newest first, in list pages, between two times', async () => {
    for (let minute = 0; minute < 5; minute++) await observe(minute, { detail: certificate(30) });
    const page = await app.api<Status[]>('GET', `${path}/ssl-history?page=2&pageSize=2`);
    expect(page.headers.get('x-total-count')).to.equal('5');
    expect(page.body.map(({ checkedAt }) => checkedAt)).to.deep.equal(
      [2, 1].map((minute) => new Date(NOON + minute * MINUTE_MS + 3).toISOString()),
    );
    const [startDate, endDate] = [1, 3].map((minute) => new Date(NOON + minute * MINUTE_MS).toISOString());
    expect(await get(`${path}/ssl-history?startDate=${startDate}&endDate=${endDate}`)).to.have.length(2);
  });

  it('show the answers of a name, the changes, and the time of the next check', async () => {
    await observe(0, { detail: answer({ A: ['203.0.113.7'] }) });
    await observe(1, { detail: answer({ A: ['203.0.113.9'] }) });
    await observe(2, { kind: 'dns', outcome: down('dns_not_found', 'The name does not exist (NXDOMAIN).') });
    const { schedule, history } = await get<DnsHistory>(`${path}/dns-history`);
    expect(schedule.lastChecked).to.equal(new Date(NOON + 2 * MINUTE_MS + 3).toISOString());
    expect(Date.parse(schedule.nextCheck!)).to.be.within(NOON + 2 * MINUTE_MS, NOON + 4 * MINUTE_MS);
    expect(history.map(({ changed, failureReason }) => [changed, failureReason])).to.deep.equal([
      [false, 'The name does not exist (NXDOMAIN).'],
      [true, null],
      [false, null],
    ]);
    expect(history[1]).to.deep.include({
      region: 'northeurope',
      resolver: '192.0.2.53:53',
      records: { A: ['203.0.113.9'] },
      responseTime: 12.5,
      changes: [{ type: 'A', added: ['203.0.113.9'], removed: [] }],
      propagation: null,
    });
  });

  it('belong to two incidents for two faults, which close when the monitor is paused', async () => {
    for (const minute of [0, 1]) {
      await observe(minute, { kind: 'dns', outcome: down('dns_not_found', 'The name does not exist (NXDOMAIN).') });
      await observe(minute, { detail: certificate(60), outcome: down('certificate_invalid', 'It is self-signed.') });
    }
    const open = () => get<{ incidentType: string }[]>(`/api/v1/incident?monitorId=${monitor.id}&isClosed=false`);
    expect((await open()).map(({ incidentType }) => incidentType).toSorted()).to.deep.equal(['Dns', 'SslExpiry']);
    expect(await get<{ healthStatus: string }>(path)).to.include({ healthStatus: 'degraded' });
    await app.api('PUT', path, { monitoringStatus: 'paused' });
    expect(await open()).to.deep.equal([]);
    expect(await get<{ healthStatus: null }>(path)).to.include({ healthStatus: null });
    expect((await get<DnsHistory>(`${path}/dns-history`)).schedule.nextCheck).to.equal(null);
  });

  it('are not shown for a monitor of another workspace', async () => {
    const stranger = app.as('stranger');
    for (const what of ['ssl-status', 'ssl-history', 'dns-history'])
      expect((await stranger('GET', `${path}/${what}`)).status).to.equal(404);
  });
});
