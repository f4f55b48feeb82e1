import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { credentials, Metadata, type ChannelCredentials, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { certificateRequest } from '@watchpost/agent/sync/certificate-request';
import { tlsNameOf } from '@watchpost/agent/sync/control-plane-link';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { AgentCertificates, AgentService, createAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import type { CertificateTimes } from '@watchpost/control-plane/capabilities/fleet/certificates/certificate-times';
import {
  ServiceHealth,
  startGrpcServer,
  type ConnectionLimits,
  type GrpcServer,
  type ServerIdentitySource,
} from '@watchpost/control-plane/platform/grpc/index';
import { systemClock, type Clock } from '@watchpost/shared/clock';
import { AgentServiceClient, type Enrollment } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { FleetService } from './fleet-service.js';

/** The key under which the tests' databases seal their authority. */
const secretBox = createSecretBox(Buffer.alloc(32, 7));

export interface SecureServiceOptions {
  clock?: Clock;
  times?: Partial<CertificateTimes>;
  source?: ServerIdentitySource;
  limits?: Partial<ConnectionLimits>;
  lookMs?: number;
  after?: FleetService;
}

/** A key with the certificate that was issued for it. */
export interface Held {
  key: string;
  certificate: string;
}

/** Lets a channel verify the gateway, which listens on loopback. */
export const LOOPBACK = tlsNameOf('127.0.0.1');

/** The credentials of a channel to the gateway. @param roots the authority that the client trusts, PEM */
export function secureChannel(roots: string, held?: Held): ChannelCredentials {
  const [key, certificate] = held ? [Buffer.from(held.key), Buffer.from(held.certificate)] : [null, null];
  return credentials.createSsl(Buffer.from(roots), key, certificate, LOOPBACK.verify);
}

/** The fleet behind mutual TLS, composed as in the control plane, beside the plain port of the tests. */
export class SecureService {
  private readonly clients: AgentServiceClient[] = [];

  private constructor(
    readonly plain: FleetService,
    readonly certificates: AgentCertificates,
    readonly registry: Registry,
    private readonly server: GrpcServer,
  ) {}

  static async start(options: SecureServiceOptions = {}): Promise<SecureService> {
    const plain = options.after ?? (await FleetService.start());
    const clock = options.clock ?? systemClock;
    const registry = new Registry();
    const logger = pino({ level: process.env.FLEET_TEST_LOG ?? 'silent' });
    const certificates = await AgentCertificates.open({
      db: plain.test.database,
      clock,
      logger,
      registry,
      secretBox,
      fleet: plain.fleet,
      times: options.times ?? {},
    });
    const { fleet, resultSink } = plain;
    const agents = new AgentService({ fleet, certificates, resultSink, clock, logger, registry });
    const server = await startGrpcServer({
      host: '127.0.0.1',
      port: 0,
      tls: {
        source: options.source ?? { hosts: ['localhost', '127.0.0.1'] },
        certificates,
        ...(options.lookMs === undefined ? {} : { lookMs: options.lookMs }),
      },
      agents,
      health: new ServiceHealth({ services: { '': true }, isReady: () => Promise.resolve(true) }),
      clock,
      logger,
      registry,
      limits: options.limits ?? {},
    });
    return new SecureService(plain, certificates, registry, server);
  }

  get port(): number {
    return this.server.port;
  }

  /** The authority, as PEM. */
  get authority(): string {
    return new X509Certificate(this.certificates.authorities[0]!).toString();
  }

  async token(name: string): Promise<{ agentId: string; token: string; secret: string }> {
    const { agentId, token } = await createAgent(this.plain.deps, { name, region: 'northeurope' });
    return { agentId, token, secret: token.split('.')[0]! };
  }

  /** A client that trusts the authority and presents the held certificate. */
  client(held?: Held, channel?: ChannelCredentials): AgentServiceClient {
    const client = new AgentServiceClient(`127.0.0.1:${this.port}`, channel ?? secureChannel(this.authority, held), {
      ...LOOPBACK.options,
      'grpc.use_local_subchannel_pool': 1,
    });
    this.clients.push(client);
    return client;
  }

  /** Requests a certificate with a token or the held certificate. @throws ServiceError */
  async enroll(
    secret: string,
    { key = newKey(), csr, held, roots }: { key?: string; csr?: Buffer; held?: Held; roots?: string } = {},
  ): Promise<{ held: Held; answer: Enrollment }> {
    const request = {
      token: secret,
      csr: csr ?? certificateRequest(createPrivateKey(key)),
      agentVersion: '1.2.3',
    };
    const answer = await new Promise<Enrollment>((resolve, reject) =>
      this.client(held, roots === undefined ? undefined : secureChannel(roots)).enroll(
        request,
        new Metadata(),
        { deadline: Date.now() + 30_000 },
        (error: ServiceError | null, given) => (error ? reject(error) : resolve(given)),
      ),
    );
    return { held: { key, certificate: new X509Certificate(answer.certificate).toString() }, answer };
  }

  /** Opens an assignment stream; resolves with the name of its first message, or how it ended. */
  async pull(client: AgentServiceClient): Promise<{ welcome: string } | StatusObject> {
    const stream = client.pullAssignments(new Metadata());
    return await new Promise((resolve) => {
      stream.on('data', ({ message }) => {
        if (message?.$case !== 'welcome') return;
        resolve({ welcome: message.value.agentId });
        stream.cancel();
      });
      stream.on('error', () => {});
      stream.on('status', resolve);
      stream.write({
        message: {
          $case: 'hello',
          value: {
            protocolVersion: 1,
            agentVersion: '1.2.3',
            capabilities: ['http'],
            lastRevision: 0n,
            assignmentEpoch: '',
          },
        },
      });
    });
  }

  /** Opens a TLS connection without a call. */
  async handshake(options: ConnectionOptions = {}): Promise<TLSSocket> {
    const socket = connect({
      host: '127.0.0.1',
      port: this.port,
      ca: this.authority,
      ALPNProtocols: ['h2'],
      ...options,
    });
    socket.on('error', () => {});
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
    });
    return socket;
  }

  async metric(name: string): Promise<string> {
    return (await this.registry.getSingleMetricAsString(name)).split('\n').slice(2).join('\n');
  }

  /** Stops the TLS port and keeps the fleet and its database. */
  async close(): Promise<void> {
    for (const client of this.clients) client.close();
    await this.server.stop(2_000);
  }

  async stop(): Promise<void> {
    await this.close();
    await this.plain.stop();
  }
}

export function newKey(curve = 'P-256'): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
