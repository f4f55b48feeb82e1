import { expect } from 'chai';
import { z } from 'zod';
import { inputReader } from '@watchpost/control-plane/platform/http/reading/read-input';
import { appForSuite } from '../../support/suite.js';

describe('Requests that are meant to be costly', () => {
  const app = appForSuite();

  it('with headers of nothing but blanks are read in linear time', async () => {
    // To read the run of blanks anew from each of them would take minutes.
    const headers = { 'X-Team': `a${' '.repeat(900_000)}a` };
    const group = { name: 'n', url: 'https://x.example/', headers };
    for (const [path, body] of [
      ['/api/v1/action-groups/webhook', group],
      ['/api/v1/monitor', { url: 'https://x.example/', http: { headers } }],
      ['/api/v1/monitor-test', { url: 'https://x.example/', http: { headers } }],
    ] as const) {
      expect((await app.api('POST', path, body)).status, path).to.equal(400);
    }
  });

  it('with a host name of a million letters and dots are refused by the limit of the field, and not read further', async () => {
    const url = `https://${'a.'.repeat(500_000)}`;
    const bodies = [
      ['/api/v1/monitor', { url }] as const,
      ['/api/v1/monitor-test', { url }] as const,
      ['/api/v1/monitor-test/ssl', { url }] as const,
      ['/api/v1/action-groups/webhook', { name: 'n', url }] as const,
      ['/api/v1/action-groups/slack', { name: 'n', webhookUrl: url }] as const,
      ['/api/v1/monitor', { url: 'https://x.example/', dns: { resolvers: ['\ufdfa'.repeat(333_000)] } }] as const,
      ['/api/v1/monitor-test/dns', { hostname: 'a.'.repeat(500_000) }] as const,
    ];
    for (const [path, body] of bodies) {
      const answer = await app.api<{ details: { message: string }[] }>('POST', path, body);
      expect(answer.status, path).to.equal(400);
      expect(answer.body.details.map(({ message }) => message).join('\n'), path).to.match(
        /^must have at most \d+ characters\.?$/,
      );
    }
  });

  it('with one parameter given many times are read in linear time', () => {
    // More than a request can have. To copy its values for each one more would take many minutes.
    const querystring = 'a=1&'.repeat(1_000_000);
    const route = app.routes.find(({ operationId }) => operationId === 'getConfigSchema')!;
    const read = inputReader({ ...route, query: z.object({ a: z.array(z.string()) }) });
    const { query } = read({ params: {}, querystring, body: undefined });
    expect((query as { a: string[] }).a).to.have.length(1_000_000);
  });

  it('for a document that is the same for everybody are answered with one that was made once', async () => {
    const route = app.routes.find(({ operationId }) => operationId === 'getConfigSchema')!;
    const made = async () => (await route.handle({} as Parameters<typeof route.handle>[0])).body;
    expect(await made()).to.equal(await made());
    for (const [path, field] of [
      ['/api/v1/config/schema', 'properties'],
      ['/swagger/v1/swagger.json', 'paths'],
    ] as const) {
      const { status, headers, body } = await app.anonymous('GET', path);
      expect([status, headers.get('content-type')], path).to.deep.equal([200, 'application/json; charset=utf-8']);
      expect(body, path).to.have.property(field);
      const again = await fetch(app.baseUrl + path, { headers: { 'if-none-match': headers.get('etag')! } });
      expect(again.status, path).to.equal(304);
    }
  });
});
