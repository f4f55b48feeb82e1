import { expect } from 'chai';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { eventually } from '../support/eventually.js';
import { movableClock, moveClock } from '../support/fleet/movable-clock.js';
import { type Json, startProduct } from '../support/product.js';
import { startedForSuite } from '../support/suite.js';
import { answer } from '../support/target-behaviours.js';
import { startTarget } from '../support/target-server.js';

const TWO_HOURS_BEHIND = movableClock({ offMs: -2 * HOUR_MS });

describe('A control plane whose machine has a wrong clock', function () {
  const product = startedForSuite(() => startProduct({ env: TWO_HOURS_BEHIND }));
  const site = startedForSuite(() => startTarget({ behaviour: answer({ status: 503 }) }));

  before(async () => {
    expect((await product.api('GET', '/api/v1/workspaces')).status).to.equal(200);
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
    product.startAgent({ name: 'home', token: (await product.createAgent('northeurope', 'home')).token });
  });

  const failingMonitor = async (): Promise<{ incident: Json; results: Json[] }> => {
    const url = `http://127.0.0.1:${site.port}/`;
    const body = { url, checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
    const { id } = (await product.api('POST', '/api/v1/monitor', body)).body;
    const incident = await eventually(
      'an incident',
      async () => (await product.api('GET', `/api/v1/incident?monitorId=${id}`)).body[0],
      90_000,
    );
    const period = new URLSearchParams({
      startDate: new Date(Date.now() - HOUR_MS).toISOString(),
      endDate: new Date(Date.now() + HOUR_MS).toISOString(),
    }).toString();
    return { incident, results: (await product.api('GET', `/api/v1/monitor/${id}/results?${period}`)).body };
  };
  const isNow = (time: string) => expect(Math.abs(new Date(time).getTime() - Date.now())).to.be.below(2 * MINUTE_MS);

  it('checks, and reports an outage, at the time of the database, and is degraded until its clock is right', async () => {
    const health = async () => (await (await fetch(`${product.baseUrl}/health`)).json()) as Json;
    expect((await health()).checks.database.message).to.match(/ 7[12]\d\d s behind the database/);
    const before = await failingMonitor();
    isNow(before.incident.started);
    expect(before.results, 'results of the last hour').to.have.length.above(0);

    moveClock(product.controlPlane);
    await eventually('its clock is right', async () => (await health()).checks.database.status === 'ok' || undefined);
    const after = await failingMonitor();
    isNow(after.incident.started);
    expect(after.results).to.have.length.above(0);
  });
});
