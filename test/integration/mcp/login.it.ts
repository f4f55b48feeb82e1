import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
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
    await test.database.transaction((tx) => tx.query("UPDATE user_account SET plan = 'Pro'"));
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
  const getJson = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;

  it('a standard client finds its way by itself: from a 401 to a token, by registration, PKCE and consent', async () => {
    const { kept, provider } = memoryOAuth();
    const transportTo = () =>
      new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { authProvider: provider });
    const info = { name: 'A desktop assistant', version: '1.0' };

    const first = new Client(info);
    const transport = transportTo();
    await first.connect(transport);
    expect((await first.listTools()).tools).to.have.length(25);
    const refused = await first.callTool({ name: 'list_monitors', arguments: {} }).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(UnauthorizedError);
    expect(kept.sentTo!.searchParams.get('resource')).to.equal(`${service.baseUrl}/mcp`);
    expect(kept.sentTo!.searchParams.get('scope')).to.equal(
      'account.read alert.read incident.read incident.write monitor.read monitor.write statuspage.read statuspage.write',
    );

    const browser = new FormBrowser(service.baseUrl);
    const consent = await (
      await browser.open(kept.sentTo!.href)
    ).submit({
      email: printed('demo account'),
      password: printed('password'),
      action: 'sign-in',
    });
    const back = await consent.submit({ action: 'allow' });
    await transport.finishAuth(back.parameters.get('code')!);
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
