import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { MIB } from '@watchpost/shared/document-limits';
import { MINUTE_MS } from '@watchpost/shared/time';
import { readPages, serviceReader } from './read-service.js';

describe('Reading from the API of another product', () => {
  let server: Server;
  let answer: (response: ServerResponse, asked: number) => void;
  let asked = 0;
  let now = 0;
  before(async () => {
    server = createServer((_request, response) => answer(response, asked++)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Reads pages until the end. @returns the message of the failure */
  async function failure(by: typeof answer): Promise<string> {
    [answer, asked] = [by, 0];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const get = serviceReader({ name: 'Pager', url, authorization: 'x' }, () => now);
    const reading = readPages(async () => ({ items: [await get('/v2/users')], isLast: false }));
    return reading.then(
      () => 'none',
      (error: Error) => error.message,
    );
  }

  it('ends where pages have no end, by their number, their size and the time that they take', async () => {
    expect(await failure((response) => response.end('{}'))).to.equal('A list has more than 500 pages.');
    const large = gzipSync(JSON.stringify({ a: 'x'.repeat(30 * MIB) }));
    const compressed = (response: ServerResponse) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(large);
    expect(await failure(compressed)).to.equal('Pager answered with more than 64 MiB in all.');
    expect(asked).to.equal(3);
    const slow = (response: ServerResponse) => {
      now += 6 * MINUTE_MS;
      response.end('{}');
    };
    expect(await failure(slow)).to.equal('Pager was not read within 15 minutes.');
    expect(asked).to.equal(3);
  });

  it('ends at a refusal or a redirect in the middle, and where it would wait too long for its turn', async () => {
    const then = (status: number, headers: Record<string, string>) => (response: ServerResponse, before: number) =>
      response.writeHead(before < 2 ? 200 : status, headers).end('{}');
    expect(await failure(then(401, {}))).to.equal('Pager refuses the key at /v2/users (status 401).');
    expect(await failure(then(302, { location: 'http://169.254.169.254/' }))).to.match(/redirects to http:\/\/169/);
    expect(await failure(then(429, { 'retry-after': '901' }))).to.equal('Pager was not read within 15 minutes.');
  });
});
