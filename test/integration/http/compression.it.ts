import { get as httpGet, request, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createMonitors } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

interface Received {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
}

describe('the compression of answers', () => {
  const app = appForSuite();
  const world = worldForSuite(app);
  let token: string;
  before(async () => {
    token = await app.token(world.owner.sub);
    await createMonitors(
      world.api,
      Array.from({ length: 50 }, (_, index) => ({
        name: `Shop ${index}`,
        url: `https://shop.example/${'p'.repeat(1_000)}`,
      })),
    );
  });

  async function ask(
    path: string,
    encoding: string | null = 'gzip, deflate, br',
    { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
  ): Promise<Received> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(
        app.baseUrl + path,
        {
          method,
          agent: false,
          headers: {
            authorization: `Bearer ${token}`,
            'x-workspace-id': world.workspaceId,
            ...(encoding === null ? {} : { 'accept-encoding': encoding }),
            ...(body === '' ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
        },
        resolve,
      )
        .once('error', reject)
        .end(body);
    });
    const bytes = Buffer.concat(await response.toArray());
    return { status: response.statusCode!, headers: response.headers, bytes };
  }

  it('makes a list of 50 monitors a tenth of its size, and the same JSON', async () => {
    const plain = await ask('/api/v1/monitor?pageSize=50', null);
    const packed = await ask('/api/v1/monitor?pageSize=50');
    expect(plain.headers).not.to.have.any.keys('content-encoding');
    expect(packed.headers['content-encoding']).to.equal('gzip');
    for (const { headers, bytes } of [plain, packed]) {
      expect(Number(headers['content-length'])).to.equal(bytes.length);
      expect(headers.vary).to.match(/(?:^|, )Accept-Encoding(?:,|$)/);
    }
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).to.equal(true);
    expect(plain.bytes.length / packed.bytes.length).to.be.above(8);
  });

  it('is of pages and descriptions, too', async () => {
    for (const path of ['/swagger/v1/swagger.json', '/swagger', '/']) {
      const { status, headers, bytes } = await ask(path, 'gzip', {
        headers: { accept: 'text/html, application/json' },
      });
      const isLarge = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes).length >= 1_500 : bytes.length < 1_500;
      expect([path, isLarge, status < 400]).to.deep.equal([path, true, true]);
    }
  });

  it('is not of what is small, of what the caller does not take, or of errors', async () => {
    for (const [path, encoding] of [
      ['/api/v1/api-keys', 'gzip'],
      ['/api/v1/monitor?pageSize=50', 'identity'],
      ['/api/v1/monitor?pageSize=50', 'gzip;q=0, *;q=0'],
      ['/api/v1/monitor?pageSize=50', 'br'],
      ['/api/v1/monitor?pageSize=nonsense', 'gzip'],
    ] as const)
      expect((await ask(path, encoding)).headers, path).not.to.have.any.keys('content-encoding');
  });

  it('keeps the tag of a resource, so that who read either form may name it in a change', async () => {
    const [monitor] = JSON.parse((await ask('/api/v1/monitor?pageSize=1', null)).bytes.toString()) as { id: string }[];
    const path = `/api/v1/monitor/${monitor!.id}`;
    const plain = await ask(path, null);
    const packed = await ask(path);
    expect(packed.headers['content-encoding']).to.equal('gzip');
    expect(packed.headers.etag).to.equal(plain.headers.etag);
    const changed = await ask(path, 'gzip', {
      method: 'PUT',
      headers: { 'if-match': packed.headers.etag },
      body: '{"name":"Renamed"}',
    });
    expect(changed.status, changed.bytes.toString()).to.equal(200);
  });

  it('has the headers of a GET on HEAD, without a body', async () => {
    const read = await ask('/api/v1/monitor?pageSize=50');
    const head = await ask('/api/v1/monitor?pageSize=50', 'gzip', { method: 'HEAD' });
    expect(head.bytes.length).to.equal(0);
    for (const name of ['content-encoding', 'content-type', 'content-length', 'vary'])
      expect(head.headers[name], name).to.equal(read.headers[name]);
  });

  it('is of no answer that shows a secret once, and of no event stream', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(100), scopes: ['monitor.read'] });
    const made = await ask('/api/v1/api-keys', 'gzip', { method: 'POST', body });
    expect([made.status, made.headers['content-encoding']]).to.deep.equal([201, undefined]);
    const stream = await new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(
        `${app.baseUrl}/api/v1/events`,
        {
          agent: false,
          headers: {
            accept: 'text/event-stream',
            'accept-encoding': 'gzip',
            authorization: `Bearer ${token}`,
            'x-workspace-id': world.workspaceId,
          },
        },
        resolve,
      ).once('error', reject);
    });
    expect(stream.headers['content-encoding']).to.equal(undefined);
    stream.destroy();
  });
});
