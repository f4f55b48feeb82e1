import { expect } from 'chai';
import type { Outcome } from '@watchpost/shared/outcome';
import { SECOND_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, BROKEN, resultOf, resultsDeps, UP } from '../integration/results/seed.js';
import { NOON } from '../support/app.js';
import type { Json } from '../support/product.js';
import { create, seedMonitor, type World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { startStage } from './stage.js';

const SERVICES = 30;

describe('A host with thirty services that depend on it', () => {
  const stage = startedForSuite(() => startStage());
  let world: World;
  before(async () => {
    world = await stage.newWorld();
  });

  it('is one message when it dies, whichever check comes first, with the thirty as its evidence', async () => {
    const { app, carrier } = stage;
    const group = await create(world.api, '/api/v1/action-groups/webhook', { name: 'Hook', url: carrier.url });
    const keyOf = new Map<string, number>();
    const watch = async (name: string, dependsOn: string[]) => {
      const settings = { name, dependsOn, checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
      const { id } = await seedMonitor(world, settings);
      await create(world.api, `/api/v1/action-groups/${group.id}/monitors/${id}`);
      const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
      keyOf.set(name, key);
      return id;
    };
    const host = await watch('Host', []);
    const services = Array.from({ length: SERVICES }, (_, index) => `Service ${index + 1}`);
    for (const name of services) await watch(name, [host]);

    const agent = agentIn('northeurope');
    /** Moves the clock to so many seconds after noon, with these results, and does all that follows. */
    const at = async (seconds: number, outcome: Outcome = UP, names: readonly string[] = []) => {
      app.clock.set(NOON + seconds * SECOND_MS);
      const results = names.map((name) => ({
        ...resultOf(keyOf.get(name)!, app.clock.now(), outcome),
        startedAtMs: app.clock.now(),
        answer: 'verified' as const,
      }));
      const deps = { ...resultsDeps(app.db), clock: app.clock };
      if (results.length > 0) await ingestBatch(deps, agent, results);
      await app.plane.periodicTasks.find(({ name }) => name === 'sweep_silence')!.run();
      await stage.work();
    };
    const received = () => carrier.calls.map(({ body }) => JSON.parse(body));
    const shown = () => received().map(({ type, data }) => `${type} ${data.monitor.name}`);

    await at(1, UP, ['Host', ...services]);
    // Half of the services are checked before their host, half after it.
    await at(31, BROKEN, services.slice(0, SERVICES / 2));
    await at(41, BROKEN, ['Host']);
    await at(47);
    await at(51, BROKEN, services.slice(SERVICES / 2));
    expect(shown()).to.deep.equal(['incident.opened Host']);
    const { body: incidents } = await world.api('GET', '/api/v1/incident');
    expect(incidents.map(({ monitorName, dependentCount }: Json) => [monitorName, dependentCount])).to.deep.equal([
      ['Host', SERVICES],
    ]);
    const { body: incident } = await world.api('GET', `/api/v1/incident/${incidents[0].id}`);
    expect(incident.dependents.map(({ monitorName }: Json) => monitorName)).to.have.members(services);
    for (const { context } of incident.dependents) expect(context.failures[0].reason).to.equal('unexpected_status');

    // The host is back, and all services but one.
    await at(101, UP, ['Host', ...services.slice(1)]);
    await at(151, BROKEN, services.slice(0, 1));
    expect(shown()).to.deep.equal(['incident.opened Host', 'incident.resolved Host']);
    expect(received()[1].data.incident.dependentCount).to.equal(SERVICES);
    await at(162);
    expect(shown()).to.deep.equal(['incident.opened Host', 'incident.resolved Host', 'incident.opened Service 1']);
  });
});
