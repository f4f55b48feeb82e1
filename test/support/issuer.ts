import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters } from 'jose';
import { DeviceGrants } from './device-grants.js';

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
  requests: Map<string, number>;
  /** Who signs in with a browser, and what is unusual about it. */
  person: Person;
  /** Answers 500 to everything while true. */
  broken: boolean;
  stop(): Promise<void>;
}

/** A person in front of a browser at the provider: each authorization request is answered at once. */
export interface Person {
  sub: string;
  /** Merged over the claims of the ID token; `undefined` takes one out. */
  idClaims?: Record<string, unknown>;
  /** The subject of the access token, where it is another one. */
  accessSub?: string;
  /** Issue access tokens that are not JWTs. */
  opaque?: boolean;
  /** Refuse with this error code. */
  error?: string;
}

/** An authorization code that was issued and not redeemed. */
interface IssuedCode {
  person: Person;
  parameters: URLSearchParams;
}

/** The client secret of the client `console-with-secret`; other clients are public. */
export const CONSOLE_CLIENT_SECRET = 'a secret: +/%';

interface Signer {
  privateKey: CryptoKey;
  publicJwk: JWK;
}

/** A real OpenID issuer on loopback: discovery, JWKS, userinfo, device codes, and tokens with any content. */
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
        end_session_endpoint: `${issuer}/logout`,
        device_authorization_endpoint: `${issuer}/device`,
        revocation_endpoint: `${issuer}/revoke`,
        scopes_supported: ['openid', 'offline_access', ...ALL_SCOPES.split(' ')],
        authorization_response_iss_parameter_supported: true,
      });
    }
    if (path === '/authorize') {
      const asked = new URL(request.url!, issuer).searchParams;
      const back = new URL(asked.get('redirect_uri')!);
      back.searchParams.set('state', asked.get('state')!);
      back.searchParams.set('iss', issuer);
      if (self.person.error !== undefined) back.searchParams.set('error', self.person.error);
      else {
        const code = randomBytes(16).toString('hex');
        codes.set(code, { person: { ...self.person }, parameters: asked });
        back.searchParams.set('code', code);
      }
      response.writeHead(303, { location: back.href }).end();
      return;
    }
    if (path === '/token') return redeem(await readForm(request), request.headers.authorization, send);
    if (path === '/device') return send(200, devices.start(issuer));
    if (path === '/revoke') {
      devices.revoke((await readForm(request)).get('token') ?? '');
      return send(200, {});
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

  /** RFC 6749 §4.1.3 with PKCE: a code is good once, for its client, redirect URI and verifier. */
  async function redeem(
    form: URLSearchParams,
    authorization: string | undefined,
    send: (status: number, body: unknown) => void,
  ): Promise<void> {
    if (form.get('grant_type') !== 'authorization_code') return redeemDevice(form, send);
    const issued = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const [id, secret] = clientOf(authorization) ?? [form.get('client_id'), null];
    const isClient = id === 'console-with-secret' ? secret === CONSOLE_CLIENT_SECRET : secret === null;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const asked = issued?.parameters;
    if (!isClient) return send(401, { error: 'invalid_client' });
    if (
      !issued ||
      asked?.get('client_id') !== id ||
      asked?.get('redirect_uri') !== form.get('redirect_uri') ||
      asked?.get('code_challenge') !== challenge
    )
      return send(400, { error: 'invalid_grant', error_description: 'the code is not good' });
    const { sub, idClaims, accessSub, opaque } = issued.person;
    const profile = { email: `${sub}@example.test`, email_verified: true, name: `The ${sub}` };
    const nonce = asked.get('nonce');
    send(200, {
      token_type: 'Bearer',
      access_token: opaque ? randomBytes(16).toString('hex') : await self.token({ sub: accessSub ?? sub }),
      id_token: await self.token({ sub, scope: null, claims: { aud: id, nonce, ...profile, ...idClaims } }),
    });
  }

  async function redeemDevice(form: URLSearchParams, send: (status: number, body: unknown) => void): Promise<void> {
    const answer = devices.redeem(form, self.person);
    if ('error' in answer) return send(400, answer);
    const { sub, refreshToken } = answer;
    const claims = { email: `${sub}@example.test`, email_verified: true, name: `The ${sub}` };
    send(200, {
      token_type: 'Bearer',
      access_token: await self.token({ sub, claims: { ...claims, jti: randomBytes(8).toString('hex') } }),
      refresh_token: refreshToken,
      expires_in: 600,
    });
  }

  const devices = new DeviceGrants();
  const codes = new Map<string, IssuedCode>();
  const self: TestIssuer = {
    issuer,
    audience,
    userinfo: new Map(),
    requests: new Map(),
    person: { sub: 'user-1' },
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

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function clientOf(authorization: string | undefined): [string, string] | null {
  const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1];
  if (basic === undefined) return null;
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
  const decode = (text: string) => new URLSearchParams(`x=${text}`).get('x')!;
  return [decode(id), decode(secret)];
}

async function makeSigner(alg: SigningAlgorithm, kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}
