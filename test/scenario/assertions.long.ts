import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { startProduct } from '../support/product.js';
import { startedForSuite } from '../support/suite.js';
import { answer } from '../support/target-behaviours.js';
import { startTarget } from '../support/target-server.js';

const REGIONS = ['northeurope', 'eastus2'];
/** On a busy machine, one check can be inconclusive: the next one is a minute later. */
const DEADLINE_MS = 240_000;

describe('What a site answers, checked by real agents in two regions', function () {
  this.timeout(1_200_000);
  const product = startedForSuite(() => startProduct());
  const site = startedForSuite(() => startTarget({ behaviour: answer() }));
  let runs = 0;

  before(async () => {
    expect((await product.api('GET', '/api/v1/workspaces')).status).to.equal(200);
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
    for (const region of REGIONS)
      product.startAgent({ name: region, token: (await product.createAgent(region, region)).token });
  });

  const answers = (path: string, value: object) =>
    site.route(path, answer({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }));
  const create = async (path: string, assertions: readonly object[]): Promise<string> => {
    const made = await product.api('POST', '/api/v1/monitor', {
      url: `${site.url}${path}`,
      checkInterval: 'PT1M',
      enabledRegions: ['eastus2'],
      numberOfChecksBeforeAlert: 1,
      numberOfChecksBeforeRecovery: 1,
      http: { assertions },
    });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    return made.body.id;
  };
  /** A changed monitor is checked at once. */
  const checkNow = async (id: string) => {
    const body = { http: { headers: { 'X-Run': String(++runs) } } };
    const changed = await product.api('PUT', `/api/v1/monitor/${id}`, body);
    expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
  };
  const read = async (id: string) => (await product.api('GET', `/api/v1/monitor/${id}`)).body;
  const healthOf = (id: string, health: string) =>
    eventually(
      `a monitor that is ${health}`,
      async () => {
        const monitor = await read(id);
        return monitor.healthStatus === health ? monitor : undefined;
      },
      DEADLINE_MS,
      100,
    );
  const incidentOf = (id: string, isThere: (incident: { regions: string[]; isClosed: boolean }) => boolean) =>
    eventually(
      'the incident',
      async () => {
        const { body } = await product.api('GET', `/api/v1/incident?monitorId=${id}`);
        expect(body.length, 'one incident').to.be.at.most(1);
        return body[0] && isThere(body[0])
          ? (await product.api('GET', `/api/v1/incident/${body[0].id}`)).body
          : undefined;
      },
      DEADLINE_MS,
      100,
    );

  it('opens, explains and closes an incident where a field of it changes', async () => {
    answers('/health', { status: 'ok', items: [1] });
    const id = await create('/health', [
      { source: 'json', property: '$.items', comparison: 'countGreaterThan', target: 0 },
      { source: 'json', property: '$.status', comparison: 'equals', target: 'ok' },
    ]);
    expect((await healthOf(id, 'available')).latestTestResult).to.include({ wasAvailable: true, assertions: null });
    answers('/health', { status: 'failing', items: [1] });
    await checkNow(id);
    const incident = await incidentOf(id, ({ regions }) => regions.length === REGIONS.length);
    expect(incident).to.include({
      incidentType: 'Availability',
      severity: 'down',
      failureReason: 'JSON $.status is "failing" instead of "ok" (1 of 2 assertions failed).',
    });
    const [failure] = incident.context.failures;
    expect(failure).to.include({ phase: 'content', reason: 'assertion_failed', statusCode: 200 });
    expect(
      failure.evidence.assertions.map(({ index, passed, actual }: Record<string, unknown>) => [index, passed, actual]),
    ).to.deep.equal([
      [0, true, '1 item'],
      [1, false, '"failing"'],
    ]);
    const monitor = await healthOf(id, 'unavailable');
    expect(monitor.latestTestResult.assertions[1]).to.include({ passed: false, actual: '"failing"' });
    answers('/health', { status: 'ok', items: [1] });
    await checkNow(id);
    await incidentOf(id, ({ isClosed }) => isClosed);
    expect((await healthOf(id, 'available')).latestTestResult.assertions).to.equal(null);
  });

  it('warns where only assertions of severity degraded fail, and ends the warning', async () => {
    answers('/queue', { size: 7 });
    const id = await create('/queue', [
      { source: 'status', comparison: 'equals', target: 200 },
      { source: 'json', property: '$.size', comparison: 'lessThan', target: 1000, severity: 'degraded' },
    ]);
    await healthOf(id, 'available');
    answers('/queue', { size: 2500 });
    await checkNow(id);
    const incident = await incidentOf(id, ({ regions }) => regions.length === REGIONS.length);
    const reason = 'JSON $.size is 2500 instead of less than 1000 (1 of 2 assertions failed).';
    expect(incident).to.include({ incidentType: 'Assertion', severity: 'warning', failureReason: reason });
    const monitor = await healthOf(id, 'degraded');
    expect(monitor.latestTestResult).to.include({ wasAvailable: true, failureReason: null });
    expect(monitor.latestTestResult.assertions[1]).to.include({ passed: false, actual: '2500' });
    const { body: results } = await product.api('GET', `/api/v1/monitor/${id}/results?outcome=up`);
    expect(results[0].failure).to.include({ reason: 'assertion_failed', message: reason });
    const { body: evidence } = await product.api('GET', `/api/v1/incident/${incident.id}/evidence`);
    expect(evidence.title).to.match(/does not answer as expected$/);
    expect(evidence.regions.map(({ verdict }: { verdict: string }) => verdict)).to.deep.equal(['failing', 'failing']);
    answers('/queue', { size: 7 });
    await checkNow(id);
    await incidentOf(id, ({ isClosed }) => isClosed);
    await healthOf(id, 'available');
  });
});
