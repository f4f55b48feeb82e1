import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { create, seedHeartbeat } from '../../../support/seed.js';
import { selfSigned } from '../../../support/certificates.js';
import { resolverOf, SignedZone } from '../../../support/signed-zone.js';
import { answer, rawThenHang, truncated } from '../../../support/target-behaviours.js';
import { startTcpProxy } from '../../../support/tcp-proxy.js';
import { type Case, replace, serveSite } from './case.js';

/** Written after the rules of the diagnosis and of the reader. Neither may be changed to suit one of these. */
export const HELD_OUT: readonly Case[] = [
  {
    name: 'the name servers of the domain are broken',
    cause: 'dns_failing',
    async run(scene) {
      const { url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url });
      await scene.healthy();
      scene.resolve(scene.host, 'ESERVFAIL');
      return { monitor };
    },
  },
  {
    name: 'a new rule of the firewall for web requests blocks the checks',
    cause: 'access_refused',
    async run(scene) {
      const { target, url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url });
      await scene.healthy();
      target.behave(answer({ status: 403, headers: { server: 'edge' }, body: 'Your request was blocked. Ray 81f2.' }));
      return { monitor };
    },
  },
  {
    name: 'the server stopped while an agent of one region had no network',
    cause: 'unreachable',
    async run(scene) {
      const { target, url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url });
      await scene.healthy();
      scene.see('blind', 'japaneast');
      await target.close();
      return { monitor };
    },
  },
  {
    name: 'a link on the way to the server is congested',
    cause: 'slow_network',
    async run(scene, { authority }) {
      scene.resolve(scene.host, ['127.0.0.1']);
      const tls = { ...(await authority.issue({ names: [scene.host] })), maxVersion: 'TLSv1.2' as const };
      const ok = rawThenHang('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      const { port } = await scene.serve({ behaviour: ok, tls });
      const link = await startTcpProxy(port);
      scene.closing.push(() => link.stop());
      const latency = { thresholdMs: 2_000, percentile: 50, windowChecks: 1 };
      const url = `https://${scene.host}:${link.port}/`;
      const monitor = await scene.monitor({ url, monitorTypes: ['Latency'], latency, checkTimeout: 'PT30S' });
      await scene.healthy();
      link.delay(700);
      return { monitor };
    },
  },
  {
    name: 'a gRPC service lost its database and reports that it is not serving',
    cause: 'server_error',
    async run(scene) {
      let state = 1;
      const bytes = (message: Buffer): Buffer => message;
      const server = new GrpcServer();
      const check = {
        path: '/grpc.health.v1.Health/Check',
        ...{ requestStream: false, responseStream: false, requestSerialize: bytes, requestDeserialize: bytes },
        ...{ responseSerialize: bytes, responseDeserialize: bytes },
      };
      server.addService(
        { check },
        {
          check: (_call: unknown, done: (error: null, message: Buffer) => void) => done(null, Buffer.from([8, state])),
        },
      );
      const port = await new Promise<number>((resolve, reject) => {
        server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
          error ? reject(error) : resolve(bound),
        );
      });
      scene.closing.push(() => server.forceShutdown());
      const monitor = await scene.monitor({ url: `grpc://127.0.0.1:${port}`, monitorTypes: ['Grpc'] });
      await scene.healthy();
      state = 2;
      return { monitor };
    },
  },
  {
    name: 'another program listens at the port of the mail server',
    cause: 'answer_changed',
    async run(scene) {
      let banner = '220 mail.example ESMTP\r\n';
      const server = createServer((socket) => socket.on('error', () => {}).end(banner)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      scene.closing.push(() => server.close());
      const url = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const monitor = await scene.monitor({ url, monitorTypes: ['TcpUdp'], tcpUdp: { expect: '220 mail' } });
      await scene.healthy();
      banner = 'SSH-2.0-OpenSSH_9.9\r\n';
      return { monitor };
    },
  },
  {
    name: 'the job that signs the zone stopped',
    cause: 'dnssec_broken',
    async run(scene, { rootZone, names }) {
      const times = { fromMs: scene.clock.now() - DAY_MS, toMs: scene.clock.now() + 20 * DAY_MS };
      const registry = new SignedZone('example', times);
      const record = { name: scene.host, type: 'A', data: '192.0.2.1', ttl: 300 } as const;
      const zone = new SignedZone(scene.host, { ...times, records: [record] });
      rootZone.delegate(registry);
      registry.delegate(zone);
      names.behave(resolverOf([rootZone, registry, zone]));
      const dns = { recordTypes: ['A'], resolvers: [`127.0.0.1:${names.port}`], checkPropagation: false };
      const monitor = await scene.monitor({
        url: scene.host,
        monitorTypes: ['Dns'],
        dns: { ...dns, dnssec: 'required' },
      });
      await scene.healthy();
      zone.options.toMs = scene.clock.now() - HOUR_MS;
      return { monitor };
    },
  },
  {
    name: 'a page was taken away',
    cause: 'page_gone',
    async run(scene) {
      const { target, url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url });
      await scene.healthy();
      target.behave(answer({ status: 404, body: 'Not here' }));
      return { monitor };
    },
  },
  {
    name: 'the process behind a UDP port hangs',
    cause: 'unreachable',
    async run(scene) {
      const socket = createSocket('udp4');
      let isHanging = false;
      socket.on('message', (message, from) => isHanging || socket.send(message, from.port, from.address));
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      scene.closing.push(() => socket.close());
      const url = `udp://127.0.0.1:${socket.address().port}`;
      const monitor = await scene.monitor({ url, monitorTypes: ['TcpUdp'], tcpUdp: { send: 'a', expect: 'a' } });
      await scene.healthy();
      isHanging = true;
      return { monitor };
    },
  },
  {
    name: 'a job waits for a lock and does not end',
    cause: 'job_overrun',
    async run(scene, { app }) {
      const heartbeat = { every: 'PT6H', maxRuntime: 'PT30M' };
      const { id, pingPath } = await seedHeartbeat(scene.world, { heartbeat });
      await fetch(`${app.baseUrl}${pingPath}`);
      await scene.minutes(1);
      await fetch(`${app.baseUrl}${pingPath}/start`);
      scene.clock.advance(40 * MINUTE_MS);
      return { monitor: { id, key: 0 } };
    },
  },
  {
    name: 'a server is new and has the certificate of its maker',
    cause: 'certificate_untrusted',
    async run(scene, { authority }) {
      const names = [scene.host];
      const { target, url } = await serveSite(scene, { behaviour: answer(), tls: await authority.issue({ names }) });
      const monitor = await scene.monitor({ url });
      await scene.healthy();
      await replace(scene, target, { behaviour: answer(), tls: await selfSigned({ names }) });
      return { monitor };
    },
  },
  {
    name: 'the server fails soon after another team deployed something else',
    cause: 'server_error',
    async run(scene) {
      const { target, url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url, tags: ['team:web'] });
      await scene.healthy();
      await create(scene.world.api, '/api/v1/marks', { text: 'Deploy of the app', tags: ['team:app'] });
      target.behave(answer({ status: 500 }));
      return { monitor };
    },
  },
  {
    name: 'a full disk of the proxy cuts long answers',
    cause: 'connection_cut',
    async run(scene) {
      const { target, url } = await serveSite(scene, { behaviour: answer({ body: 'a'.repeat(200) }) });
      const monitor = await scene.monitor({ url, http: { keyword: 'aaa' } });
      await scene.healthy();
      target.behave(truncated('bbb', 200));
      return { monitor };
    },
  },
  {
    name: 'the certificate of the service behind the shop expired',
    cause: 'certificate_expired',
    async run(scene, { authority }) {
      const names = ['127.0.0.1'];
      const service = await scene.serve({ behaviour: answer(), tls: await authority.issue({ names }) });
      const root = await scene.monitor({ name: 'Orders', url: service.url });
      const { target, url } = await serveSite(scene, { behaviour: answer() });
      const monitor = await scene.monitor({ url });
      await scene.healthy();
      const dates = { notBefore: new Date(Date.now() - 90 * DAY_MS), notAfter: new Date(Date.now() - 1_000) };
      await replace(scene, service, { behaviour: answer(), tls: await authority.issue({ names, ...dates }) });
      target.behave(answer({ status: 502 }));
      await scene.incidentOf(root);
      await scene.incidentOf(monitor);
      await create(scene.world.api, `/api/v1/monitor/${monitor.id}`, { dependsOn: [root.id] }, 'PUT');
      return { monitor, root };
    },
  },
];
