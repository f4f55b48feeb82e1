import { expect } from 'chai';
import { appForSuite } from '../../support/suite.js';

/** Everybody waits for what keeps the one thread busy. A request that is only read takes a few ms of it. */
const MOST_MS = 500;

describe('Requests that are meant to be costly', () => {
  const app = appForSuite();

  /** What answering takes of a processor, ms: the best of a few. Time on the clock would be that of others on the machine too. */
  async function busyMs(request: () => Promise<{ status: number }>): Promise<[status: number, busyMs: number]> {
    let [answered, least] = [0, Infinity];
    for (let turn = 0; turn < 8; turn++) {
      const before = process.cpuUsage();
      answered = (await request()).status;
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1_000);
    }
    return [answered, least];
  }

  it('with headers of nothing but blanks cost next to nothing', async () => {
    const headers = { 'X-Team': `a${' '.repeat(80_000)}a` };
    const group = { name: 'n', url: 'https://x.example/', headers };
    for (const [path, body] of [
      ['/api/v1/action-groups/webhook', group],
      ['/api/v1/monitor', { url: 'https://x.example/', http: { headers } }],
      ['/api/v1/monitor-test', { url: 'https://x.example/', http: { headers } }],
    ] as const) {
      const [status, busy] = await busyMs(() => app.api('POST', path, body));
      expect(status, path).to.equal(400);
      expect(busy, path).to.be.below(MOST_MS);
    }
  });

  it('with a host name of a million letters and dots are refused as quickly, with the limit of the field', async () => {
    const url = `https://${'a.'.repeat(500_000)}`;
    const paths = [
      '/api/v1/monitor',
      '/api/v1/monitor-test',
      '/api/v1/monitor-test/ssl',
      '/api/v1/action-groups/webhook',
    ];
    const bodies = [
      ...paths.map((path) => [path, { url, name: 'n' }] as const),
      ['/api/v1/action-groups/slack', { name: 'n', webhookUrl: url }] as const,
      ['/api/v1/monitor', { url: 'https://x.example/', dns: { resolvers: ['\ufdfa'.repeat(333_000)] } }] as const,
      ['/api/v1/monitor-test/dns', { hostname: 'a.'.repeat(500_000) }] as const,
    ];
    for (const [path, body] of bodies) {
      const faults: string[] = [];
      const [status, busy] = await busyMs(async () => {
        const answer = await app.api<{ details?: { message: string }[] }>('POST', path, body);
        faults.push(...(answer.body.details ?? []).map(({ message }) => message));
        return answer;
      });
      expect(status, path).to.equal(400);
      expect(faults.join(), path).to.match(/must have at most \d+ characters/);
      expect(busy, path).to.be.below(100);
    }
  });

  it('with one parameter given some thousand times cost a stranger as little', async () => {
    const query = '?' + 'a&'.repeat(7_900);
    const [status, busy] = await busyMs(() => app.anonymous('GET', `/health${query}`));
    expect(status).to.equal(200);
    expect(busy).to.be.below(40);
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
