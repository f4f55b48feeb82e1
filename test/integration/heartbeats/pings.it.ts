import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { pingStore } from '@watchpost/control-plane/capabilities/pings/ping-store';
import { hashToken } from '@watchpost/control-plane/platform/identity/secret-token';
import type { PingView } from '@watchpost/control-plane/capabilities/pings/ping-schemas';
import { makeWorld, seedHeartbeat, type World } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

/** The fields of an incident that are looked at here. */
interface Shown {
  id: string;
  isClosed: boolean;
  failureReason: string;
}

describe('Pings of a heartbeat', () => {
  const app = appForSuite();
  const world = worldForSuite(app);

  const ping = (path: string, init: RequestInit = {}) => fetch(new URL(path, app.baseUrl), init);
  const ok = async (path: string, init: RequestInit = {}): Promise<void> => {
    const answer = await ping(path, init);
    expect([answer.status, await answer.text()], path).to.deep.equal([200, init.method === 'HEAD' ? '' : 'OK']);
  };
  const monitorOf = async (id: string) => (await world.api('GET', `/api/v1/monitor/${id}`)).body;
  const incidentsOf = async (id: string): Promise<Shown[]> =>
    (await world.api('GET', `/api/v1/incident?monitorId=${id}`)).body;
  const sweep = () => app.plane.periodicTasks.find(({ name }) => name === 'sweep_silence')!.run();
  /** Lets time pass in which pings could be received. */
  const pass = async (ms: number): Promise<void> => {
    app.clock.advance(ms);
    await app.sql('UPDATE ping_reception SET received_until = $1', [new Date(app.clock.now())]);
    await app.plane.receptionTask.run();
    await sweep();
  };
  beforeEach(() => pass(1_000));

  it('are answered with OK after they are stored, by GET, HEAD and POST, and listed newest first', async () => {
    const { id, pingPath } = await seedHeartbeat(world);
    await ok(`${pingPath}/start?rid=run-1`, { method: 'POST', headers: { 'user-agent': 'curl/8' } });
    app.clock.advance(1_500);
    await ok(`${pingPath}?rid=run-1`, { method: 'POST', body: 'all is well' });
    app.clock.advance(1_000);
    await ok(`${pingPath}/log?rid=not%20well-formed`, { method: 'HEAD' });
    const { body, headers } = await world.api('GET', `/api/v1/monitor/${id}/pings?pageSize=2`);
    expect(body.map(({ kind, rid, runtimeMs, body: text }: PingView) => [kind, rid, runtimeMs, text])).to.deep.equal([
      ['log', null, null, null],
      ['success', 'run-1', 1_500, 'all is well'],
    ]);
    expect(headers.get('x-total-count')).to.equal('3');
    expect((await world.api('GET', `/api/v1/monitor/${id}/pings?page=2&pageSize=2`)).body[0]).to.deep.include({
      kind: 'start',
      userAgent: 'curl/8',
      remoteAddress: '127.0.0.1',
      exitCode: null,
    });
  });

  it('of an unknown, replaced or deleted token are 404, other methods 405, and more than 60 a minute 429', async () => {
    const { id, pingPath } = await seedHeartbeat(world);
    expect((await ping(`/ping/${'a'.repeat(32)}`)).status).to.equal(404);
    expect((await ping(`${pingPath}/256`)).status).to.equal(404);
    expect((await ping(pingPath, { method: 'PUT' })).status).to.equal(405);
    await ok(`${pingPath}/255`);
    const { body } = await world.api('POST', `/api/v1/monitor/${id}/heartbeat/rotate`);
    expect((await ping(pingPath)).status).to.equal(404);
    const next = new URL(body.heartbeat.pingUrl).pathname;
    for (let count = 0; count < 60; count++) await ok(next);
    const refused = await ping(next);
    expect([refused.status, ((await refused.json()) as { error: string }).error]).to.deep.equal([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    const other = await seedHeartbeat(world);
    await ok(other.pingPath);
    await world.api('DELETE', `/api/v1/monitor/${other.id}`);
    expect((await ping(other.pingPath)).status).to.equal(404);
  });

  it('keep the last part of a long body and refuse none', async () => {
    const { id, pingPath } = await seedHeartbeat(world);
    await ok(pingPath, { method: 'POST', body: 'x'.repeat(300_000) });
    const { body } = await world.api('GET', `/api/v1/monitor/${id}/pings`);
    expect(body[0].body).to.equal('x'.repeat(10_240));
  });

  it('of the latest tokens are known to a process before it receives any', async () => {
    const [former, latest] = [await seedHeartbeat(world), await seedHeartbeat(world)];
    for (const { pingPath } of [former, latest]) {
      app.clock.advance(1_000);
      await ok(pingPath);
    }
    const tokens = await app.db.read((tx) => pingStore.latestTokens(tx, 2));
    expect(tokens.map(({ ownerId }) => ownerId)).to.deep.equal([world.owner.userId, world.owner.userId]);
    expect(tokens.map(({ hash }) => hash.toString('hex'))).to.deep.equal(
      [latest, former].map(({ pingPath }) => hashToken(pingPath.split('/').at(-1)!).toString('hex')),
    );
  });

  it('keep no body beyond what their account may store a day, and count all the same; others keep theirs', async () => {
    const [greedy, other] = [await makeWorld(app, 'Starter'), await makeWorld(app, 'Starter')];
    const [own, elsewhere] = [await seedHeartbeat(greedy), await seedHeartbeat(other)];
    const ping = (path: string, body: string) =>
      fetch(new URL(path, app.baseUrl), { method: 'POST', body }).then(({ status }) => expect(status).to.equal(200));
    const bodiesOf = async ({ api }: World, id: string) =>
      ((await api('GET', `/api/v1/monitor/${id}/pings`)).body as PingView[]).map(({ body }) => body);
    await ping(own.pingPath, 'x'.repeat(10_000));
    const used = "UPDATE daily_budget SET spent = 20480 WHERE kind = 'pingKib' AND spent = 10 RETURNING spent";
    expect(await app.sql(used), 'KiB').to.have.length(1);
    await ping(own.pingPath, 'more');
    await ping(own.pingPath, '');
    await Promise.all([ping(own.pingPath, 'and more'), ping(elsewhere.pingPath, 'output')]);
    const [last, empty, second, first] = await bodiesOf(greedy, own.id);
    expect([first!.length, empty]).to.deep.equal([10_000, null]);
    for (const body of [last, second]) expect(body).to.match(/^\[Watchpost: this body was not kept/);
    expect(await bodiesOf(other, elsewhere.id)).to.deep.equal(['output']);
    const { body } = await greedy.api('GET', `/api/v1/monitor/${own.id}`);
    expect(body.healthStatus).to.equal('available');
  });

  it('make it available; a failure opens one incident with the output, and the next success closes it', async () => {
    const { id, pingPath } = await seedHeartbeat(world);
    expect((await monitorOf(id)).healthStatus).to.equal(null);
    await ok(pingPath);
    const now = app.clock.now();
    const healthy = await monitorOf(id);
    expect(healthy.healthStatus).to.equal('available');
    expect(healthy.heartbeat).to.deep.include({
      lastPing: new Date(now).toISOString(),
      expectedBy: new Date(now + 65 * MINUTE_MS).toISOString(),
    });
    await pass(MINUTE_MS);
    await ok(`${pingPath}/3`, { method: 'POST', body: 'disk full' });
    await ok(`${pingPath}/fail`);
    expect((await monitorOf(id)).healthStatus).to.equal('unavailable');
    const [incident, ...others] = await incidentsOf(id);
    expect(others).to.deep.equal([]);
    expect(incident).to.deep.include({
      incidentType: 'Heartbeat',
      severity: 'down',
      failureReason: 'The job ended with exit code 3.',
      started: new Date(now + MINUTE_MS).toISOString(),
      isClosed: false,
    });
    const detail = (await world.api('GET', `/api/v1/incident/${incident!.id}`)).body;
    expect(detail.context.heartbeat).to.deep.include({ kind: 'reported', exitCode: 3, body: 'disk full' });
    const evidence = (await world.api('GET', `/api/v1/incident/${incident!.id}/evidence`)).body;
    expect(evidence.report).to.deep.include({ kind: 'reported', exitCode: 3, body: 'disk full' });
    expect(evidence).to.deep.include({ regions: [], title: 'Backup did not report success' });
    const { body: link } = await world.api('POST', `/api/v1/incident/${incident!.id}/evidence-links`);
    const document = await (await fetch(new URL(new URL(link.url).pathname, app.baseUrl))).text();
    expect(document).to.contain('What the job reported').and.contain('disk full').and.not.contain('By region');
    await pass(MINUTE_MS);
    await ok(pingPath);
    expect((await monitorOf(id)).healthStatus).to.equal('available');
    expect((await incidentsOf(id))[0]).to.deep.include({ isClosed: true, status: 'Resolved' });
  });

  it('that do not come open an incident that began when they were expected', async () => {
    const { id, pingPath } = await seedHeartbeat(world, { heartbeat: { every: 'PT1M', grace: 'PT1M' } });
    await pass(10 * MINUTE_MS);
    expect((await monitorOf(id)).healthStatus, 'without any ping').to.equal(null);
    await ok(pingPath);
    const { expectedBy } = (await monitorOf(id)).heartbeat;
    await pass(2 * MINUTE_MS - 1_000);
    expect(await incidentsOf(id)).to.deep.equal([]);
    await pass(6_000);
    expect(await monitorOf(id)).to.deep.include({ healthStatus: 'unavailable' });
    const [incident] = await incidentsOf(id);
    expect(incident).to.deep.include({ incidentType: 'Heartbeat', started: expectedBy });
    expect(incident!.failureReason).to.match(/^The job did not report success by /);
    await ok(pingPath);
    expect((await incidentsOf(id)).map(({ isClosed }) => isClosed)).to.deep.equal([true]);
  });

  it('of a run that takes longer than `maxRuntime` open an incident', async () => {
    const { id, pingPath } = await seedHeartbeat(world, { heartbeat: { every: 'PT1H', maxRuntime: 'PT10M' } });
    await ok(`${pingPath}/start?rid=a`);
    await pass(9 * MINUTE_MS);
    expect(await incidentsOf(id)).to.deep.equal([]);
    await pass(2 * MINUTE_MS);
    expect((await incidentsOf(id))[0]!.failureReason).to.match(/was not over after 10 min/);
    await ok(`${pingPath}?rid=a`);
    expect((await incidentsOf(id))[0]!.isClosed).to.equal(true);
  });

  it('of a later run close the incident of a run that never ends, and later runs that overrun open others', async () => {
    const { id, pingPath } = await seedHeartbeat(world, { heartbeat: { every: 'PT1H', maxRuntime: 'PT10M' } });
    const states = async () => (await incidentsOf(id)).map(({ isClosed }) => isClosed);
    await ok(`${pingPath}/start?rid=killed`);
    await pass(11 * MINUTE_MS);
    expect(await states()).to.deep.equal([false]);
    await ok(`${pingPath}/start?rid=b`);
    await pass(MINUTE_MS);
    await ok(`${pingPath}?rid=b`);
    expect((await monitorOf(id)).healthStatus).to.equal('available');
    await pass(MINUTE_MS);
    expect((await monitorOf(id)).healthStatus).to.equal('available');
    await world.api('PUT', `/api/v1/monitor/${id}`, { heartbeat: { grace: 'PT6M' } });
    await pass(MINUTE_MS);
    expect(await states()).to.deep.equal([true]);
    await ok(`${pingPath}/start?rid=c`);
    await pass(11 * MINUTE_MS);
    expect(await states()).to.have.members([false, true]);
  });

  it('of a paused monitor are kept and open nothing, and pausing closes the incident', async () => {
    const { id, pingPath } = await seedHeartbeat(world);
    await ok(`${pingPath}/fail`);
    const put = (monitoringStatus: string) => world.api('PUT', `/api/v1/monitor/${id}`, { monitoringStatus });
    await put('paused');
    expect((await incidentsOf(id))[0]!.isClosed).to.equal(true);
    await pass(MINUTE_MS);
    await ok(`${pingPath}/fail`);
    expect(await monitorOf(id)).to.deep.include({ healthStatus: null });
    expect((await monitorOf(id)).heartbeat.lastPing).to.equal(new Date(app.clock.now()).toISOString());
    await pass(MINUTE_MS);
    await put('enabled');
    await pass(3_000);
    expect(await monitorOf(id), 'its failure is from before').to.deep.include({ healthStatus: null });
    expect(await incidentsOf(id)).to.have.length(1);
    await ok(pingPath);
    expect((await monitorOf(id)).healthStatus).to.equal('available');
  });

  it('count as time: what was available and unavailable, and nothing in between', async () => {
    const { id, pingPath } = await seedHeartbeat(world);
    const startDate = new Date(app.clock.now()).toISOString();
    await pass(10 * MINUTE_MS);
    await ok(pingPath);
    await pass(30 * MINUTE_MS);
    await ok(`${pingPath}/fail`);
    await pass(10 * MINUTE_MS);
    const endDate = new Date(app.clock.now()).toISOString();
    const query = `startDate=${startDate}&endDate=${endDate}`;
    const { body } = await world.api('GET', `/api/v1/monitor/${id}/availability?${query}`);
    expect(body).to.deep.include({ uptimePercentage: 75, totalChecks: 0, healthyChecks: 0, unhealthyChecks: 0 });
    expect(body.timeline.map(({ status }: { status: string }) => status)).to.deep.equal([
      'unknown',
      'available',
      'unavailable',
    ]);
    expect(body.regions).to.deep.equal([]);
  });
});

describe('An outage of our own', () => {
  const app = appForSuite();
  const world = worldForSuite(app);

  const sweep = () => app.plane.periodicTasks.find(({ name }) => name === 'sweep_silence')!.run();
  const incidents = async (id: string): Promise<Shown[]> =>
    (await world.api('GET', `/api/v1/incident?monitorId=${id}`)).body;
  const monitorOf = async (id: string) => (await world.api('GET', `/api/v1/monitor/${id}`)).body;

  it('extends every deadline, is unknown on the timeline and pages nobody; what is missing afterwards does', async () => {
    await app.plane.receptionTask.run();
    const minutely = await seedHeartbeat(world, { heartbeat: { every: 'PT1M', grace: 'PT1M' } });
    const daily = await seedHeartbeat(world, { heartbeat: { every: 'P1D', grace: 'PT1H' } });
    for (const { pingPath } of [minutely, daily]) await fetch(new URL(pingPath, app.baseUrl));
    const { expectedBy } = (await monitorOf(daily.id)).heartbeat;
    const startDate = new Date(app.clock.now()).toISOString();
    // Nothing runs for an hour; the sweep comes back before pings can be received.
    app.clock.advance(60 * MINUTE_MS);
    await sweep();
    expect(await incidents(minutely.id)).to.deep.equal([]);
    await app.plane.receptionTask.run();
    await sweep();
    expect(await incidents(minutely.id)).to.deep.equal([]);
    expect((await monitorOf(minutely.id)).healthStatus, 'its ping may have been lost').to.equal(null);
    const later = await monitorOf(daily.id);
    expect(later.healthStatus).to.equal('available');
    expect(later.heartbeat.expectedBy).to.equal(new Date(Date.parse(expectedBy) + 60 * MINUTE_MS).toISOString());
    const query = `startDate=${startDate}&endDate=${new Date(app.clock.now()).toISOString()}`;
    const { body } = await world.api('GET', `/api/v1/monitor/${daily.id}/availability?${query}`);
    expect(body.timeline.map(({ status }: { status: string }) => status)).to.deep.equal(['unknown']);
    for (let waited = 0; waited < 2 * MINUTE_MS + 10_000; waited += 5_000) {
      app.clock.advance(5_000);
      await app.plane.receptionTask.run();
      await sweep();
      if (waited < 2 * MINUTE_MS - 5_000) expect(await incidents(minutely.id), `after ${waited} ms`).to.deep.equal([]);
    }
    expect(await incidents(minutely.id)).to.have.length(1);
    expect(await incidents(daily.id)).to.deep.equal([]);
  });

  it('that may have lost the end of a run leaves its deadline open, also once a later run has succeeded', async () => {
    await app.plane.receptionTask.run();
    const { id, pingPath } = await seedHeartbeat(world, { heartbeat: { every: 'P1D', maxRuntime: 'PT1H' } });
    const ping = (path: string) => fetch(new URL(pingPath + path, app.baseUrl));
    const pass = async (minutes: number): Promise<void> => {
      for (let passed = 0; passed < minutes * MINUTE_MS; passed += 5_000) {
        app.clock.advance(5_000);
        await app.plane.receptionTask.run();
      }
      await sweep();
    };
    await ping('/start?rid=a');
    await pass(1);
    app.clock.advance(4 * MINUTE_MS);
    await app.plane.receptionTask.run();
    await ping('/start?rid=b');
    await pass(1);
    await ping('?rid=b');
    await pass(60);
    expect(await incidents(id)).to.deep.equal([]);
    expect((await monitorOf(id)).healthStatus).to.equal('available');
  });
});
