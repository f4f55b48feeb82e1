import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestIssuer, type TestIssuer } from '../../support/issuer.js';
import { startMcpService, type McpService } from './mcp-service.js';
import { RpcClient } from './rpc-client.js';

describe('How much MCP takes', () => {
  let test: TestDatabase;
  let issuer: TestIssuer;
  let service: McpService;
  before(async () => {
    [test, issuer] = await Promise.all([createTestDatabase(), startTestIssuer()]);
    service = await startMcpService({
      test,
      secretBox: createSecretBox(randomBytes(32)),
      env: {
        OIDC_ISSUER: issuer.issuer,
        OIDC_AUDIENCE: issuer.audience,
        RATE_LIMIT_PER_MINUTE: '6',
        TRUST_PROXY_CIDRS: '127.0.0.0/8',
      },
    });
  });
  after(async () => {
    await service.stop();
    await issuer.stop();
    await test.drop();
  });

  const from = (address: string, token?: string) =>
    new RpcClient(service.baseUrl, { ...(token ? { token } : {}), headers: { 'x-forwarded-for': address } });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_monitors' } };

  it('what a user calls counts together with REST, each message of a batch, and is then refused as a result', async () => {
    const token = await issuer.token({ sub: 'busy', claims: { email: 'busy@example.test', email_verified: true } });
    const rest = await fetch(`${service.baseUrl}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } });
    expect(rest.status).to.equal(200);
    const client = from('192.0.2.1', token);
    const { body, headers } = await client.post([call, call, call, call, call, call]);
    const codes = body.map(({ result, error }: Record<string, { isError?: boolean; data?: { error: string } }>) =>
      result?.isError ? 'limited' : error?.data?.error,
    );
    expect(codes).to.deep.equal([...Array<string>(5).fill('feature_not_in_plan'), 'limited']);
    expect(headers.get('ratelimit')).to.match(/^"default";r=0;t=\d+$/);
    const refusal = JSON.parse(body.at(-1).result.content[0].text);
    expect(refusal.error).to.equal('rate_limited');
    expect(refusal.retryAfterSeconds).to.be.within(1, 60);
  });

  it('strangers count by their address, and are then refused with 429', async () => {
    const stranger = from('192.0.2.2');
    for (let count = 0; count < 6; count++) expect((await stranger.call('tools/list')).status).to.equal(200);
    const { status, headers, body } = await stranger.call('tools/list');
    expect([status, body.error.code, body.error.data.error]).to.deep.equal([429, -32000, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
    expect((await from('192.0.2.3').call('tools/list')).status).to.equal(200);
  });

  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const batchOf = (count: number, message: object) => Array.from({ length: count }, () => message);
  const malformed = { ...call, params: { ...call.params, arguments: 'none' } };

  it('each message of a batch counts, also where it reaches no tool: for the user of a token, else for the address', async () => {
    const stranger = from('192.0.2.11');
    expect((await stranger.post(batchOf(6, list))).status).to.equal(200);
    expect((await stranger.post([list])).status).to.equal(429);
    expect((await from('192.0.2.13').post(batchOf(7, list))).status).to.equal(429);
    const token = await issuer.token({ sub: 'lister' });
    expect((await from('192.0.2.12', token).post(batchOf(6, list))).status).to.equal(200);
    for (const address of ['192.0.2.12', '192.0.2.15']) {
      const { status, body } = await from(address, token).post([list]);
      expect([status, body[0].error.code, body[0].error.data.error]).to.deep.equal([200, -32000, 'rate_limited']);
    }
  });

  it('beside a call of a user, each message of a batch counts for the user, malformed ones too', async () => {
    const token = await issuer.token({ sub: 'mixed', claims: { email: 'mixed@example.test', email_verified: true } });
    const client = from('192.0.2.14', token);
    const { status, body } = await client.post([call, list, malformed, list, list, malformed, list, malformed]);
    expect(status).to.equal(200);
    const outcomes = body.map(({ result, error }: Record<string, Record<string, unknown>>) =>
      result ? (result['isError'] === true ? 'limited' : 'ok') : error!['code'],
    );
    expect(outcomes).to.deep.equal([-32003, 'ok', -32602, 'ok', 'ok', -32602, -32000, 'limited']);
    expect(body[6].error.data.error).to.equal('rate_limited');
    const { body: alone } = await client.post(malformed);
    expect(JSON.parse(alone.result.content[0].text).error).to.equal('rate_limited');
    expect((await from('192.0.2.14').post(list)).status, 'others at the address').to.equal(200);
  });

  it('a request that is refused as a whole counts for the address', async () => {
    const refusals: [address: string, body: unknown][] = [
      ['192.0.2.15', batchOf(51, list)],
      ['192.0.2.16', batchOf(51, call)],
      ['192.0.2.17', '{"jsonrpc":'],
      ['192.0.2.18', [{ id: 1 }]],
    ];
    for (const [address, body] of refusals) {
      const client = from(address);
      for (let count = 0; count < 6; count++) expect((await client.post(body)).status).to.equal(400);
      expect((await client.post(body)).status, address).to.equal(429);
    }
  });

  it('the public tool takes one call a minute and address, a /64 of IPv6, of all callers', async () => {
    const url = 'https://example.com/';
    const outcome = async (address: string, token?: string) => {
      const { result } = await from(address, token).tool('check_http_availability_latency', { url });
      expect(result.isError).to.equal(true);
      const refusal = JSON.parse(result.content[0].text);
      if (refusal.error === 'rate_limited') expect(refusal.retryAfterSeconds).to.be.within(1, 60);
      return refusal.error;
    };
    // No agent is here to run it, which is reported after the limit has let it through.
    expect(await outcome('192.0.2.4')).to.equal('unavailable');
    expect(await outcome('192.0.2.4')).to.equal('rate_limited');
    expect(await outcome('192.0.2.4', await issuer.token({ sub: 'somebody' }))).to.equal('rate_limited');
    expect(await outcome('192.0.2.5')).to.equal('unavailable');
    expect(await outcome('2001:db8:1:2::1')).to.equal('unavailable');
    expect(await outcome('2001:db8:1:2:ffff::9')).to.equal('rate_limited');
    expect(await outcome('2001:db8:1:3::1')).to.equal('unavailable');
  });

  it('the public tool takes ten calls a minute from one network, however many addresses it has', async () => {
    const url = 'https://example.com/';
    const outcome = async (address: string) => {
      const { result } = await from(address).tool('check_http_availability_latency', { url });
      return JSON.parse(result.content[0].text).error;
    };
    for (const prefix of ['198.51.100.', '2001:db8:77:']) {
      const addressOf = (index: number) => `${prefix}${index}${prefix.includes(':') ? '::1' : ''}`;
      for (let index = 1; index <= 10; index++) expect(await outcome(addressOf(index))).to.equal('unavailable');
      expect(await outcome(addressOf(11))).to.equal('rate_limited');
    }
    expect(await outcome('198.51.101.1')).to.equal('unavailable');
    expect(await outcome('2001:db8:78:1::1')).to.equal('unavailable');
  });

  it('what is wrong with its arguments costs nothing', async () => {
    const client = from('192.0.2.6');
    const { error } = await client.tool('check_http_availability_latency', { url: 'nonsense' });
    expect(error.code).to.equal(-32602);
    const { result } = await client.tool('check_http_availability_latency', { url: 'https://example.com/' });
    expect(JSON.parse(result.content[0].text).error).to.equal('unavailable');
  });
});
