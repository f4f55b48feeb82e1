import { DAY_MS } from '@watchpost/shared/time';
import { startDeafServer } from '../../../support/deaf-server.js';
import { records, startNameServer } from '../../../support/name-server.js';
import { create } from '../../../support/seed.js';
import { answer, reset } from '../../../support/target-behaviours.js';
import type { TargetOptions } from '../../../support/target-server.js';
import type { Scene, TestBed } from '../test-bed.js';
import { type Broken, type Case, replace, serveSite } from './case.js';

/** An HTTPS site whose server then presents something else. */
async function present(
  scene: Scene,
  { authority }: TestBed,
  later: () => Promise<NonNullable<TargetOptions['tls']>>,
): Promise<Broken> {
  const tls = await authority.issue({ names: [scene.host] });
  const { target, url } = await serveSite(scene, { behaviour: answer(), tls });
  const monitor = await scene.monitor({ url });
  await scene.healthy();
  await replace(scene, target, { behaviour: answer(), tls: await later() });
  return { monitor };
}

/** An HTTP site that works until something happens to it. */
async function breakSite(
  scene: Scene,
  happen: (site: { port: number; close(): Promise<void>; behave(how: ReturnType<typeof answer>): void }) => unknown,
): Promise<Broken> {
  const { target, url } = await serveSite(scene, { behaviour: answer() });
  const monitor = await scene.monitor({ url });
  await scene.healthy();
  await happen(target);
  return { monitor };
}

export const CONNECTIONS: readonly Case[] = [
  {
    name: 'nobody renewed the certificate',
    cause: 'certificate_expired',
    run: (scene, bed) =>
      present(scene, bed, () =>
        bed.authority.issue({
          names: [scene.host],
          // TLS reads the clock of this machine.
          notBefore: new Date(Date.now() - 90 * DAY_MS),
          notAfter: new Date(Date.now() - 1_000),
        }),
      ),
  },
  {
    name: 'an intermediate certificate expired',
    cause: 'certificate_expired',
    run: (scene, bed) => present(scene, bed, () => bed.lapsed.issue({ names: [scene.host] })),
  },
  {
    name: 'a load balancer presents the certificate of another site',
    cause: 'certificate_wrong_name',
    run: (scene, bed) => present(scene, bed, () => bed.authority.issue({ names: ['other.example'] })),
  },
  {
    name: 'a new server does not send the intermediate certificate',
    cause: 'certificate_untrusted',
    run: (scene, bed) => present(scene, bed, () => bed.authority.issue({ names: [scene.host], chain: 'leaf' })),
  },
  {
    name: 'a renewal failed and few days are left',
    cause: 'certificate_expiring',
    async run(scene, { authority }) {
      const names = [scene.host];
      const { target, url } = await serveSite(scene, { behaviour: answer(), tls: await authority.issue({ names }) });
      const monitor = await scene.monitor({ url, monitorTypes: ['SslCertificate'] });
      await scene.healthy();
      const dates = {
        notBefore: new Date(scene.clock.now() - 86 * DAY_MS),
        notAfter: new Date(scene.clock.now() + 4 * DAY_MS),
      };
      await replace(scene, target, { behaviour: answer(), tls: await authority.issue({ names, ...dates }) });
      return { monitor };
    },
  },
  {
    name: 'a server was set to versions of TLS that nobody speaks any more',
    cause: 'tls_failing',
    run: (scene, bed) =>
      present(scene, bed, async () => ({
        ...(await bed.authority.issue({ names: [scene.host], key: 'RSA-2048' })),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT:@SECLEVEL=0',
      })),
  },
  {
    name: 'the process of the server ended',
    cause: 'unreachable',
    run: (scene) => breakSite(scene, (site) => site.close()),
  },
  {
    name: 'a firewall drops what comes',
    cause: 'unreachable',
    run: (scene) =>
      breakSite(scene, async (site) => {
        await site.close();
        const deaf = await startDeafServer('127.0.0.1', site.port);
        scene.closing.push(() => deaf.stop());
      }),
  },
  {
    name: 'the server resets connections after it has read the request',
    cause: 'connection_cut',
    run: (scene) => breakSite(scene, (site) => site.behave(reset)),
  },
  {
    name: 'the name was removed',
    cause: 'dns_failing',
    run: (scene) => breakSite(scene, () => scene.resolve(scene.host, 'ENOTFOUND')),
  },
  {
    name: 'the name was moved to a machine without the site',
    cause: 'dns_moved',
    async run(scene) {
      const at = (data: string) => records([{ name: scene.host, type: 'A', data }]);
      const server = await startNameServer({ behaviour: at('127.0.0.1') });
      scene.closing.push(() => server.close());
      const { url } = await serveSite(scene, { behaviour: answer() });
      const dns = { recordTypes: ['A'], resolvers: [`127.0.0.1:${server.port}`], checkPropagation: false };
      const monitor = await scene.monitor({ url, monitorTypes: ['HttpAvailability', 'Dns'], dns });
      await scene.healthy();
      server.behave(at('127.0.0.9'));
      scene.resolve(scene.host, ['127.0.0.9']);
      return { monitor };
    },
  },
  {
    name: 'the edge of a network that serves one region is dead',
    cause: 'one_region',
    async run(scene) {
      const { workspaceId, api } = scene.world;
      // By default a single region of three opens no incident.
      await create(api, `/api/v1/workspaces/${workspaceId}`, { settings: { incidentQuorum: 'any' } }, 'PATCH');
      return breakSite(scene, () => scene.resolve(scene.host, ['127.0.0.9'], 'japaneast'));
    },
  },
  {
    name: 'the server listens on IPv4 alone since it was moved',
    cause: 'some_addresses',
    async run(scene) {
      scene.resolve(scene.host, ['127.0.0.1', '::1']);
      const v4 = await scene.serve({ behaviour: answer() });
      const v6 = await scene.serve({ behaviour: answer(), host: '::1', port: v4.port });
      const monitor = await scene.monitor({ url: `http://${scene.host}:${v4.port}/`, http: { addresses: 'each' } });
      await scene.healthy();
      await v6.close();
      return { monitor };
    },
  },
];
