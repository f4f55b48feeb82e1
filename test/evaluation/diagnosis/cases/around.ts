import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { create, seedHeartbeat } from '../../../support/seed.js';
import { registration } from '../../../support/rdap-server.js';
import { answer } from '../../../support/target-behaviours.js';
import type { Scene, TestBed, Watched } from '../test-bed.js';
import { type Case, serveSite } from './case.js';

const FAILING = answer({ status: 503 });

/** A job that has reported success, and the address to which it reports. */
async function job(
  scene: Scene,
  { app }: TestBed,
): Promise<{ monitor: Watched; ping(path: string, body?: string): Promise<void> }> {
  const { id, pingPath } = await seedHeartbeat(scene.world);
  const ping = async (path: string, body?: string): Promise<void> => {
    const sent = await fetch(`${app.baseUrl}${pingPath}${path}`, { method: 'POST', ...(body && { body }) });
    if (!sent.ok) throw new Error(`the ping was answered with ${sent.status}`);
  };
  await ping('');
  await scene.minutes(1);
  return { monitor: { id, key: 0 }, ping };
}

/** Causes that are around what fails: jobs, dependencies, people and time. */
export const AROUND: readonly Case[] = [
  {
    name: 'the scheduler of a nightly job does not run',
    cause: 'job_missing',
    async run(scene, bed) {
      const { monitor } = await job(scene, bed);
      scene.clock.advance(2 * HOUR_MS);
      return { monitor };
    },
  },
  {
    name: 'an import ended with an error',
    cause: 'job_failed',
    async run(scene, bed) {
      const { monitor, ping } = await job(scene, bed);
      await ping('/2', 'no space left on device');
      return { monitor };
    },
  },
  {
    name: 'the database behind the shop is down',
    cause: 'unreachable',
    async run(scene) {
      const database = await scene.serve({ behaviour: answer() });
      const root = await scene.monitor({
        name: 'Database',
        url: `tcp://127.0.0.1:${database.port}`,
        monitorTypes: ['TcpUdp'],
      });
      const { target, url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url });
      await scene.healthy();
      await database.close();
      await scene.incidentOf(root);
      target.behave(FAILING);
      await scene.incidentOf(monitor);
      // The dependency was drawn in after people were paged for both.
      await create(scene.world.api, `/api/v1/monitor/${monitor.id}`, { dependsOn: [root.id] }, 'PUT');
      return { monitor, root };
    },
  },
  {
    name: 'work went on after its maintenance window had ended',
    cause: 'maintenance_overran',
    async run(scene) {
      const { target, url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url });
      await scene.healthy();
      await create(scene.world.api, '/api/v1/maintenance-windows', {
        name: 'Night work',
        startsAt: 'now',
        duration: 'PT10M',
        scope: { monitorIds: [monitor.id] },
      });
      target.behave(FAILING);
      await scene.minutes(10);
      return { monitor };
    },
  },
  {
    name: 'somebody changed which status the monitor expects',
    cause: 'settings_changed',
    async run(scene) {
      const { url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url });
      await scene.healthy();
      const http = { expectedStatusCodes: [204] };
      await create(scene.world.api, `/api/v1/monitor/${monitor.id}`, { http }, 'PUT');
      return { monitor };
    },
  },
  {
    name: 'a process is started again and again',
    cause: 'flapping',
    async run(scene) {
      const { target, url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url });
      for (let count = 0; count < 4; count++) {
        target.behave(answer());
        await scene.minutes(2);
        scene.clock.advance(20 * MINUTE_MS);
        await scene.minutes(1);
        target.behave(FAILING);
        await scene.incidentOf(monitor);
      }
      return { monitor };
    },
  },
  {
    name: 'nobody paid for the domain',
    cause: 'domain_expired',
    async run(scene, { app, rdap }) {
      const domain = `${scene.host.split('.')[0]}.test`;
      const expires = new Date(scene.clock.now() + 10 * HOUR_MS).toISOString();
      rdap.answers.set(domain, registration(domain, { expires }));
      const query = () => app.plane.jobs.find(({ name }) => name === 'query_domains')!.run();
      const settings = { monitorTypes: ['Domain'], domain: { incidentDays: 0 }, enabledRegions: [] };
      const monitor = await scene.monitor({ url: domain, ...settings });
      await query();
      await scene.healthy();
      scene.clock.advance(13 * HOUR_MS);
      await query();
      return { monitor };
    },
  },
];
