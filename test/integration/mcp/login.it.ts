import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Client as NewClient,
  type OAuthClientProvider as NewOAuthClientProvider,
  StreamableHTTPClientTransport as NewTransport,
  UnauthorizedError as NewUnauthorizedError,
} from '@modelcontextprotocol/client';
import { ManualClock } from '@watchpost/shared/clock';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestIssuer, type TestIssuer } from '../../support/issuer.js';
import { FormBrowser } from '../identity/form-browser.js';
import { startMcpService, type McpService } from './mcp-service.js';
import { RpcClient } from './rpc-client.js';

const REDIRECT = 'http://127.0.0.1:9/callback';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** What a desktop assistant keeps for one server; its "browser" only remembers where it was sent. */
function memoryOAuth() {
  const kept = {
    client: undefined as Awaited<ReturnType<OAuthClientProvider['clientInformation']>>,
    tokens: undefined as Awaited<ReturnType<OAuthClientProvider['tokens']>>,
    verifier: '',
    sentTo: undefined as URL | undefined,
    discovery: undefined as unknown,
  };
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'A desktop assistant',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (information) => void (kept.client = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.sentTo = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  };
  return { kept, provider };
}

describe('Signing in to MCP', () => {
  let test: TestDatabase;
  let service: McpService;
  const secretBox = createSecretBox(randomBytes(32));
  before(async () => {
    test = await createTestDatabase();
    service = await startMcpService({ test, secretBox });
    await test.sql("UPDATE user_account SET plan = 'Pro'");
  });
  after(async () => {
    await service.stop();
    await test.drop();
  });

  function printed(name: string): string {
    return service.identity
      .describe()
      .find((line) => line.startsWith(`${name}: `))!
      .slice(name.length + 2);
  }
  /** Does what a person does at the provider. */
  async function allow(sentTo: URL): Promise<{ consent: string; back: URLSearchParams }> {
    const browser = new FormBrowser(service.baseUrl);
    const consent = await (
      await browser.open(sentTo.href)
    ).submit({
      email: printed('demo account'),
      password: printed('password'),
      action: 'sign-in',
    });
    return { consent: consent.text, back: (await consent.submit({ action: 'allow' })).parameters };
  }
  const getJson = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;

  it('a standard client finds its way by itself: from a 401 to a token, by registration, PKCE and consent', async () => {
    const { kept, provider } = memoryOAuth();
    const transportTo = () =>
      new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { authProvider: provider });
    const info = { name: 'A desktop assistant', version: '1.0' };

    const first = new Client(info);
    const transport = transportTo();
    await first.connect(transport);
    expect((await first.listTools()).tools).to.have.length(service.plane.mcp.tools.length);
    const refused = await first.callTool({ name: 'list_monitors', arguments: {} }).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(UnauthorizedError);
    expect(kept.sentTo!.searchParams.get('resource')).to.equal(`${service.baseUrl}/mcp`);
    expect(kept.sentTo!.searchParams.get('scope')).to.equal(
      'account.read alert.read incident.read incident.write monitor.read monitor.write statuspage.read statuspage.write',
    );

    const { back } = await allow(kept.sentTo!);
    await transport.finishAuth(back.get('code')!);
    await first.close();

    const second = new Client(info);
    await second.connect(transportTo());
    const { structuredContent } = await second.callTool({ name: 'list_monitors', arguments: {} });
    expect(structuredContent).to.deep.include({ items: [], total: 0 });

    // An access token that is refused is renewed without anybody being asked.
    kept.tokens = { ...kept.tokens!, access_token: 'gone' };
    kept.sentTo = undefined;
    expect((await second.callTool({ name: 'list_open_incidents', arguments: {} })).isError).to.equal(undefined);
    expect(kept.sentTo).to.equal(undefined);
    await second.close();
  });

  describe('a client of the newest revision', () => {
    const DOCUMENT = 'https://assistant.example/client.json';
    const { fetch: web } = globalThis;
    /** The answers of the web for documents of clients, by address. */
    const documents = new Map<string, () => Response>();
    let fetched = 0;
    before(() => {
      globalThis.fetch = (input, init) => {
        const document = documents.get(typeof input === 'string' ? input : '');
        if (!document) return web(input, init);
        fetched++;
        return Promise.resolve(document());
      };
    });
    after(() => {
      globalThis.fetch = web;
    });

    const metadata = (client_id: string, more: object = {}) => ({
      client_id,
      client_name: 'Assistant <b>of the web</b>',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...more,
    });

    for (const [how, clientMetadataUrl] of [
      ['its metadata document', DOCUMENT],
      ['registration', undefined],
    ] as const) {
      it(`is known by ${how}, checks the issuer, and gets a token for this resource`, async () => {
        documents.set(DOCUMENT, () => Response.json(metadata(DOCUMENT)));
        const { kept, provider } = memoryOAuth();
        const transportTo = () =>
          new NewTransport(new URL(`${service.baseUrl}/mcp`), {
            authProvider: {
              ...provider,
              ...(clientMetadataUrl && { clientMetadataUrl }),
              saveDiscoveryState: (state) => void (kept.discovery = state),
              discoveryState: () => kept.discovery,
            } as NewOAuthClientProvider,
          });
        const connected = async () => {
          const client = new NewClient(
            { name: 'A desktop assistant', version: '2.4' },
            { versionNegotiation: { mode: { pin: '2026-07-28' } } },
          );
          const transport = transportTo();
          await client.connect(transport);
          return { client, transport };
        };
        const { client, transport } = await connected();
        const refused = await client.callTool({ name: 'list_monitors', arguments: {} }).catch((error: Error) => error);
        expect(refused).to.be.instanceOf(NewUnauthorizedError);
        expect(kept.sentTo!.searchParams.get('client_id') === DOCUMENT).to.equal(clientMetadataUrl !== undefined);
        expect(kept.sentTo!.searchParams.get('resource')).to.equal(`${service.baseUrl}/mcp`);
        const { consent, back } = await allow(kept.sentTo!);
        if (clientMetadataUrl)
          expect(consent).to.include('Assistant &lt;b&gt;of the web&lt;/b&gt; (assistant.example)');
        expect(back.get('iss')).to.equal(service.baseUrl);
        const mixedUp = new URLSearchParams(back);
        mixedUp.set('iss', 'https://elsewhere.example');
        expect(await transport.finishAuth(mixedUp).catch((error: Error) => error)).to.be.instanceOf(Error);
        await transport.finishAuth(back);
        await client.close();
        const { client: signedIn } = await connected();
        const { structuredContent } = await signedIn.callTool({ name: 'list_monitors', arguments: {} });
        expect(structuredContent).to.deep.include({ items: [], total: 0 });
        await signedIn.close();
      });
    }

    it('is refused where its document is not its own, has a secret, is huge, elsewhere, or leads to another program', async () => {
      const authorize = async (client_id: string, redirect_uri = REDIRECT) => {
        const query = new URLSearchParams({
          client_id,
          redirect_uri,
          response_type: 'code',
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
          scope: 'openid',
        });
        const answer = await web(`${service.baseUrl}/oauth/authorize?${String(query)}`, { redirect: 'manual' });
        return answer.status;
      };
      const own = (name: string) => `https://${name}.example/client.json`;
      documents.set(own('right'), () => Response.json(metadata(own('right'))));
      expect(await authorize(own('right'))).to.equal(303);
      const hostile: Record<string, () => Response> = {
        other: () => Response.json(metadata(own('right'))),
        secret: () => Response.json(metadata(own('secret'), { client_secret: 'x'.repeat(32) })),
        scheme: () => Response.json(metadata(own('scheme'), { redirect_uris: ['cursor://anysphere.cursor/callback'] })),
        huge: () => Response.json(metadata(own('huge'), { client_name: 'x'.repeat(2_000_000) })),
        text: () => new Response('<html>'),
        list: () => Response.json([]),
        moved: () => new Response(null, { status: 302, headers: { location: own('right') } }),
      };
      for (const [name, answer] of Object.entries(hostile)) {
        documents.set(own(name), answer);
        expect(await authorize(own(name)), name).to.equal(400);
      }
      expect(await authorize(own('right'), 'http://127.0.0.1:9/elsewhere')).to.equal(400);
      for (const id of [
        'http://right.example/client.json',
        'https://127.0.0.1:9/client.json',
        'https://[::1]:9/x',
        'file:///x',
      ])
        expect(await authorize(id), id).to.equal(400);
    });

    it('is fetched once while it is fresh, and by strangers 60 times a minute at most', async () => {
      const idOf = (count: number) => `https://many.example/${count}.json`;
      documents.set(idOf(0), () => Response.json(metadata(idOf(0))));
      const before = fetched;
      const ask = (id: string) =>
        web(`${service.baseUrl}/oauth/authorize?client_id=${encodeURIComponent(id)}`, { redirect: 'manual' });
      for (let count = 0; count < 3; count++) await ask(idOf(0));
      expect(fetched - before).to.equal(1);
      for (let count = 1; count < 70; count++) {
        documents.set(idOf(count), () => Response.json(metadata(idOf(count))));
        await ask(idOf(count));
      }
      expect(fetched - before).to.be.at.most(60);
    });
  });

  it('a program without a browser signs in with a device code, for this resource', async () => {
    const metadata = await getJson(`${service.baseUrl}/.well-known/oauth-authorization-server`);
    const post = async (url: unknown, fields: Record<string, string>) =>
      (await (await fetch(String(url), { method: 'POST', body: new URLSearchParams(fields) })).json()) as Record<
        string,
        string
      >;
    const client_id = printed('device_client_id');
    const resource = `${service.baseUrl}/mcp`;
    const started = await post(metadata['device_authorization_endpoint'], {
      client_id,
      resource,
      scope: 'monitor.read incident.read',
    });
    const browser = new FormBrowser(service.baseUrl);
    const entry = await browser.open(started['verification_uri']!);
    const compare = await entry.submit({ user_code: started['user_code']! });
    const signIn = await compare.submit({});
    const consent = await signIn.submit({
      email: printed('demo account'),
      password: printed('password'),
      action: 'sign-in',
    });
    await consent.submit({ action: 'allow' });
    const granted = await post(metadata['token_endpoint'], {
      grant_type: DEVICE_GRANT,
      client_id,
      resource,
      device_code: started['device_code']!,
    });
    const client = new RpcClient(service.baseUrl, { token: granted['access_token']! });
    expect((await client.tool('list_monitors')).result.content[0].text).to.equal('[]');
  });

  describe('the documents', () => {
    it('name the endpoint, what it speaks and whose tokens it takes', async () => {
      const card = await getJson(`${service.baseUrl}/.well-known/mcp.json`);
      expect(card).to.deep.include({
        endpoint: `${service.baseUrl}/mcp`,
        transport: 'streamable-http',
        protocolVersion: '2024-11-05',
        protocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
        capabilities: { tools: true, resources: true, prompts: true },
      });
      expect(card['authentication']).to.deep.include({
        type: 'oauth2',
        authorizationServers: [service.baseUrl],
        anonymousTools: ['check_http_availability_latency'],
      });
    });

    it('name a resource that is the very URL which a client was given (RFC 9728 §3.3)', async () => {
      const of = (path: string) => getJson(`${service.baseUrl}/.well-known/oauth-protected-resource${path}`);
      expect(await of('/mcp')).to.deep.include({
        resource: `${service.baseUrl}/mcp`,
        authorization_servers: [service.baseUrl],
        scopes_supported:
          'account.read alert.read incident.read incident.write monitor.read monitor.write statuspage.read statuspage.write'.split(
            ' ',
          ),
      });
      expect(await of('')).to.deep.include({ resource: service.baseUrl, authorization_servers: [service.baseUrl] });
    });

    describe('with a provider elsewhere', () => {
      let issuer: TestIssuer;
      let away: McpService;
      const clock = new ManualClock(Date.now());
      before(async () => {
        issuer = await startTestIssuer();
        away = await startMcpService({
          test,
          secretBox,
          clock,
          env: { OIDC_ISSUER: issuer.issuer, OIDC_AUDIENCE: issuer.audience },
        });
      });
      after(async () => {
        await away.stop();
        await issuer.stop();
      });
      it('take tokens that it issued for this resource, and none for another', async () => {
        const statusOf = async (aud: string) => {
          const client = new RpcClient(away.baseUrl, { token: await issuer.token({ claims: { aud } }) });
          return (await client.call('tools/call', { name: 'list_monitors', arguments: {} })).status;
        };
        expect(await statusOf(`${away.baseUrl}/mcp`)).to.equal(200);
        expect(await statusOf(issuer.audience)).to.equal(200);
        expect(await statusOf('https://other.example/mcp')).to.equal(401);
        expect(await statusOf(`${away.baseUrl}/mcp/`)).to.equal(401);
      });
      const mirrored = () => fetch(`${away.baseUrl}/.well-known/oauth-authorization-server`);

      it('contain its metadata, which is read once for all callers', async () => {
        const own = await getJson(`${issuer.issuer}/.well-known/openid-configuration`);
        const answers = await Promise.all(Array.from({ length: 20 }, mirrored));
        for (const answer of answers) expect(await answer.json()).to.deep.equal(own);
        const asked = issuer.requests.get('/.well-known/oauth-authorization-server');
        expect(asked).to.equal(1);
        issuer.broken = true;
        expect((await mirrored()).status).to.equal(200);
        issuer.broken = false;
        clock.advance(-300_000);
        await mirrored();
        expect(issuer.requests.get('/.well-known/oauth-authorization-server'), 'after the clock is set back').to.equal(
          2,
        );
        expect(await getJson(`${away.baseUrl}/.well-known/oauth-protected-resource/mcp`)).to.deep.include({
          authorization_servers: [issuer.issuer],
        });
      });

      it('answer 503 where it does not answer', async () => {
        issuer.broken = true;
        const lonely = await startMcpService({
          test,
          secretBox,
          env: { OIDC_ISSUER: issuer.issuer, OIDC_AUDIENCE: issuer.audience },
        });
        const answer = await fetch(`${lonely.baseUrl}/.well-known/oauth-authorization-server`);
        expect([answer.status, ((await answer.json()) as { error: string }).error]).to.deep.equal([503, 'unavailable']);
        issuer.broken = false;
        await lonely.stop();
      });
    });
  });
});
