import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startedForEach } from '../../support/suite.js';
import { answer, redirectTo } from '../../support/target-behaviours.js';
import { startTarget } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from './probe-check.js';

const AUTH = { type: 'digest', username: 'robot', password: 'hunter2-geheim' } as const;

/** A server of its own that refuses a nonce that it did not give, one that is too old, and a count that is not higher than the last. */
class DigestServer {
  readonly requests: IncomingMessage[] = [];
  readonly sockets = new Set<unknown>();
  algorithm = 'SHA-256';
  qop: string | null = 'auth';
  /** So many nonces from now on are too old when they are used. */
  stale = 0;
  closes = false;
  serve = (request: IncomingMessage, response: ServerResponse): void => void response.end(`welcome to ${request.url}`);
  readonly #counts = new Map<string, number>();
  readonly #server: Server = createServer((request, response) => {
    this.requests.push(request);
    this.sockets.add(request.socket);
    request.resume();
    const isStale = this.#judge(request);
    if (isStale === null) return this.serve(request, response);
    const nonce = randomBytes(9).toString('base64');
    this.#counts.set(nonce, 0);
    const qop = this.qop === null ? '' : `, qop="${this.qop}"`;
    response.setHeader('WWW-Authenticate', [
      'Basic realm="old"',
      `Digest realm="a \\"b\\"", nonce="${nonce}", opaque="o", algorithm=${this.algorithm}${qop}${isStale ? ', stale=true' : ''}`,
    ]);
    if (this.closes) response.setHeader('Connection', 'close');
    response.writeHead(401).end('who are you?');
  });

  static async start(): Promise<DigestServer> {
    const server = new DigestServer();
    server.#server.listen(0, '127.0.0.1');
    await new Promise((listening) => server.#server.once('listening', listening));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** @returns null: it is let in; otherwise whether its nonce is too old */
  #judge({ headers, method, url }: IncomingMessage): boolean | null {
    const fields = Object.fromEntries(
      [...(headers.authorization ?? '').matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(
        ([, name, quoted, bare]) => [name!, quoted?.replaceAll(/\\(.)/g, '$1') ?? bare!],
      ),
    );
    const { nonce = '', nc = '', cnonce = '', uri, response } = fields;
    const count = this.#counts.get(nonce);
    if (count === undefined) return false;
    if (this.stale > 0) {
      this.stale--;
      return true;
    }
    const used = this.qop === null ? count + 1 : Number.parseInt(nc, 16);
    if (used <= count || uri !== url) return false;
    this.#counts.set(nonce, used);
    const hash = (text: string) =>
      createHash(this.algorithm.startsWith('MD5') ? 'md5' : 'sha256')
        .update(text)
        .digest('hex');
    const own = hash(`robot:a "b":hunter2-geheim`);
    const secret = this.algorithm.endsWith('-sess') ? hash(`${own}:${nonce}:${cnonce}`) : own;
    const middle = this.qop === null ? nonce : `${nonce}:${nc}:${cnonce}:auth`;
    return response === hash(`${secret}:${middle}:${hash(`${method}:${url}`)}`) ? null : false;
  }
}

describe('a check that signs in by Digest', () => {
  const probes = testProbes();
  const server = startedForEach(() => DigestServer.start());
  const check = (path = '/a?b=c', options: object = {}) =>
    run(probes, `${server.url}${path}`, { auth: AUTH, ...options });

  for (const algorithm of ['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'])
    it(`is let in with ${algorithm}, with and without qop, by one further request on the same connection`, async () => {
      server.algorithm = algorithm;
      expectUp(await check('/a?b=c', { keyword: { text: 'welcome to /a?b=c', mode: 'present' } }));
      expect(server.requests).to.have.length(2);
      expect(server.sockets.size).to.equal(1);
      if (algorithm.endsWith('-sess')) return;
      server.qop = null;
      expectUp(await check());
    });

  it('counts both requests, and the connection once', async () => {
    const { timings, totalUs } = await check('/', { method: 'POST', body: 'x' });
    expect(timings.connectUs).to.be.above(0);
    expect(timings.authUs).to.equal(undefined);
    expect(totalUs).to.be.at.least(timings.connectUs + timings.firstByteUs + timings.transferUs - 1_000);
    expect(server.requests.map(({ method }) => method)).to.deep.equal(['POST', 'POST']);
  });

  it('connects again where the server closes the connection, announced or not', async () => {
    server.closes = true;
    expectUp(await check());
    expect(server.sockets.size).to.equal(2);
    server.closes = false;
    let connections = 0;
    const rude = await startTarget({
      behaviour: ({ request, socket }) => {
        connections++;
        if (request.headers.authorization) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        else {
          socket.write('HTTP/1.1 401 X\r\nWWW-Authenticate: Digest realm=r, nonce=n\r\nContent-Length: 0\r\n\r\n');
          socket.once('data', () => socket.destroy());
        }
      },
    });
    expectUp(await run(probes, rude.url, { auth: AUTH }));
    expect(connections).to.be.at.least(2);
    await rude.close();
  });

  it('takes a new nonce where the old one is too old, and does not go on for ever', async () => {
    server.stale = 1;
    expectUp(await check());
    expect(server.requests).to.have.length(3);
    server.stale = 9;
    expectDown(await check(), 'content', 'unexpected_status', /401 Unauthorized/);
    expect(server.requests).to.have.length(6);
  });

  it('is down with the status of the answer where the password is wrong', async () => {
    const report = await check('/', { auth: { ...AUTH, password: 'falsch' } });
    expectDown(report, 'content', 'unexpected_status', /401 Unauthorized/);
    expect(server.requests).to.have.length(2);
  });

  it('counts the nonce on over redirects within the origin, and leaves other origins alone', async () => {
    const foreign = await startTarget({ behaviour: redirectTo(`${server.url}/c`) });
    server.serve = ({ url }, response) =>
      void response.writeHead(302, { location: url === '/a' ? '/b' : foreign.url }).end();
    const report = await check('/a');
    expectDown(report, 'content', 'unexpected_status', /401 Unauthorized/);
    const counts = server.requests.map(({ url, headers }) => [url, /nc=(\w+)/.exec(headers.authorization ?? '')?.[1]]);
    expect(counts).to.deep.equal([
      ['/a', undefined],
      ['/a', '00000001'],
      ['/b', '00000002'],
      ['/c', undefined],
    ]);
    expect(foreign.requests[0]!.headers.authorization).to.equal(undefined);
    await foreign.close();
  });

  it('reports what it cannot do', async () => {
    const cannot = 'The server cannot be signed in to by Digest: ';
    server.algorithm = 'TIGER';
    expectDown(await check(), 'auth', 'auth_failed', `${cannot}it asks for the algorithm TIGER.`);
    server.algorithm = 'MD5';
    server.qop = 'auth-int';
    expectDown(await check(), 'auth', 'auth_failed', `${cannot}it asks for the protection auth-int.`);
    const basic = await startTarget({ behaviour: answer({ status: 401 }) });
    expectDown(
      await run(probes, basic.url, { auth: AUTH }),
      'auth',
      'auth_failed',
      `${cannot}it answers 401 without a challenge of Digest.`,
    );
    await basic.close();
  });

  it('shows no secret in the evidence of a site that repeats what it got', async () => {
    server.serve = ({ headers }, response) =>
      void response.writeHead(500, { 'x-echo': headers.authorization! }).end(`hunter2-geheim ${headers.authorization}`);
    const text = JSON.stringify(await check());
    expect(text).to.include('***').and.not.include('geheim').and.not.include('response=');
  });
});
