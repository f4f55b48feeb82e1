import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters } from 'jose';

/** Every scope of the product, as a standard user account holds them. */
export const ALL_SCOPES = [
  'monitor.admin',
  'monitor.read',
  'monitor.write',
  'incident.read',
  'incident.write',
  'statuspage.read',
  'statuspage.write',
  'alert.read',
  'alert.write',
  'account.read',
  'account.write',
  'user.read',
  'user.create',
  'edit:user',
].join(' ');

export type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'ES384' | 'RS512';

export interface TokenOptions {
  /** Default `user-1`. */
  sub?: string;
  /** Default: every scope. Null leaves the claim out. */
  scope?: string | null;
  /** Merged over the claims; `undefined` takes one out. */
  claims?: Record<string, unknown>;
  /** Seconds from now; null leaves `exp` out. Default 600. */
  expiresIn?: number | null;
  alg?: SigningAlgorithm;
  header?: Partial<JWTHeaderParameters>;
}

export interface TestIssuer {
  /** `http://127.0.0.1:PORT` */
  issuer: string;
  audience: string;
  token(options?: TokenOptions): Promise<string>;
  /** New keys; tokens made before no longer verify. */
  rotateKeys(): void;
  /** The answers of the userinfo endpoint by the `sub` of the access token. Without an entry it answers 401. */
  userinfo: Map<string, Record<string, unknown>>;
  /** The number of requests for each path. */
  requests: Map<string, number>;
  /** Answers 500 to everything while true. */
  broken: boolean;
  stop(): Promise<void>;
}

interface Signer {
  privateKey: CryptoKey;
  publicJwk: JWK;
}

/** A real OpenID issuer on loopback: discovery, JWKS, userinfo, and tokens with any content. */
export async function startTestIssuer(options: { audience?: string } = {}): Promise<TestIssuer> {
  const audience = options.audience ?? 'watchpost-api';
  let generation = 1;
  const signers = new Map<string, Promise<Signer>>();
  const signerOf = (alg: SigningAlgorithm): Promise<Signer> => {
    const kid = `${alg}-${generation}`;
    const known = signers.get(kid) ?? makeSigner(alg, kid);
    signers.set(kid, known);
    return known;
  };
  await signerOf('ES256');

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  // The client ends idle connections: a request on one that the server has just ended would be lost.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', issuer).pathname;
    self.requests.set(path, (self.requests.get(path) ?? 0) + 1);
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (self.broken) return send(500, { error: 'server_error' });
    if (path === '/.well-known/openid-configuration') {
      return send(200, {
        issuer,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
      });
    }
    if (path === '/jwks') {
      const current = await Promise.all(signers.values());
      return send(200, { keys: current.map((signer) => signer.publicJwk) });
    }
    if (path === '/userinfo') {
      const payload = request.headers.authorization?.split('.')[1] ?? '';
      const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') as { sub?: string };
      const info = sub === undefined ? undefined : self.userinfo.get(sub);
      return info === undefined ? send(401, { error: 'invalid_token' }) : send(200, { sub, ...info });
    }
    send(404, { error: 'not_found' });
  }

  const self: TestIssuer = {
    issuer,
    audience,
    userinfo: new Map(),
    requests: new Map(),
    broken: false,
    async token({ sub = 'user-1', scope = ALL_SCOPES, claims = {}, expiresIn = 600, alg = 'ES256', header = {} } = {}) {
      const { privateKey, publicJwk } = await signerOf(alg);
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        iss: issuer,
        aud: audience,
        sub,
        iat: now,
        ...(expiresIn === null ? {} : { exp: now + expiresIn }),
        ...(scope === null ? {} : { scope }),
        ...claims,
      };
      return new SignJWT(payload).setProtectedHeader({ alg, kid: publicJwk.kid!, ...header }).sign(privateKey);
    },
    rotateKeys() {
      generation += 1;
      signers.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return self;
}

async function makeSigner(alg: SigningAlgorithm, kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}
