import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import { systemClock } from '@watchpost/shared/clock';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { FormBrowser, type Page } from './form-browser.js';
import { startIdentityService, type IdentityService } from './identity-service.js';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const REDIRECT = 'http://127.0.0.1:9/callback';
/** What an assistant registers itself with. */
export const MCP_CLIENT = {
  client_name: 'An assistant',
  redirect_uris: [REDIRECT],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
};

/** The embedded provider on a database of its own, and what clients and people do with it. */
export class ProviderWorld {
  constructor(
    private readonly test: TestDatabase,
    readonly deps: Parameters<typeof startIdentityService>[0],
    readonly service: IdentityService,
  ) {}

  async stop(): Promise<void> {
    await this.service.stop();
    await this.test.drop();
  }

  printed(name: string): string {
    const line = this.service.provider.describe().find((text) => text.startsWith(`${name}: `));
    return line!.slice(name.length + 2);
  }

  async post(path: string, fields: Record<string, string> | string, headers: Record<string, string> = {}) {
    const json = typeof fields === 'string';
    const response = await fetch(this.service.url + path, {
      method: 'POST',
      headers: { 'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded', ...headers },
      body: json ? fields : new URLSearchParams(fields).toString(),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  basic(id: string, secret: string) {
    return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
  }

  register(metadata: Record<string, unknown>) {
    return this.post('/oauth/register', JSON.stringify(metadata));
  }

  async registered(): Promise<string> {
    return (await this.register(MCP_CLIENT)).body['client_id']!;
  }

  async clientsInUse(): Promise<string[]> {
    const rows = await this.deps.db.read((tx) =>
      tx.query<{ id: string }>(
        `SELECT id FROM provider_entity WHERE kind = 'Client' AND expires_at > now() + interval '1 day'`,
      ),
    );
    return rows.map(({ id }) => id);
  }

  /** The status that a caller gets who knows this process by another name. */
  statusFor(host: string, path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(this.service.url + path, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      });
      sent.once('error', reject).end();
    });
  }

  signIn(page: Page, password = this.printed('password')): Promise<Page> {
    return page.submit({ email: this.printed('demo account'), password, action: 'sign-in' });
  }

  /** The authorization request of a public client, and what it needs to redeem the code. */
  async authorize(clientId: string, extra: Record<string, string> = {}) {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: REDIRECT,
      state: 'the-state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...extra,
    });
    const browser = new FormBrowser(this.service.url);
    return { browser, verifier, page: await browser.open(`/oauth/authorize?${query.toString()}`) };
  }

  async codeFor(clientId: string, extra: Record<string, string> = {}): Promise<{ code: string; verifier: string }> {
    const { page, verifier } = await this.authorize(clientId, extra);
    const consent = await this.signIn(page);
    const back = await consent.submit({ action: 'allow' });
    expect(back.url).to.match(/^http:\/\/127\.0\.0\.1:9\/callback\?/);
    expect(back.parameters.get('state')).to.equal('the-state');
    return { code: back.parameters.get('code')!, verifier };
  }

  async tokensByBrowser(clientId: string, extra: Record<string, string> = {}) {
    const { code, verifier } = await this.codeFor(clientId, extra);
    return this.redeem(clientId, code, { code_verifier: verifier });
  }

  redeem(clientId: string, code: string, proof: { code_verifier?: string }) {
    return this.post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: REDIRECT,
      ...proof,
    });
  }
}

export async function startProviderWorld(): Promise<ProviderWorld> {
  const test = await createTestDatabase();
  const deps = { db: test.database, clock: systemClock, secretBox: createSecretBox(randomBytes(32)) };
  return new ProviderWorld(test, deps, await startIdentityService(deps));
}
