import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { runCli } from '../../support/run-cli.js';

const INCIDENT = '/api/v1/incident/0199e0a4-0000-7000-8000-000000000001';

describe('Requests of the command line', () => {
  /** What the service does with each request, in order; afterwards with all others as with the last. */
  let script: ((request: IncomingMessage, response: ServerResponse) => void)[];
  let seen: IncomingMessage[];
  let url: string;
  const server = createServer((request, response) => {
    seen.push(request);
    const act = script.length > 1 ? script.shift()! : script[0]!;
    // The body is read first, as an answer before it would end the connection.
    request.resume().on('end', () => act(request, response));
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  before(async () => {
    await listen(0);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    seen = [];
  });

  const answer =
    (status: number, body: unknown, headers: Record<string, string> = {}) =>
    (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  const cut = (request: IncomingMessage) => void request.socket.destroy();
  const unavailable = answer(503, { error: 'unavailable', message: 'Not now.' }, { 'retry-after': '1' });
  const run = (...args: string[]) =>
    runCli([...args, '--json'], { env: { WATCHPOST_URL: url, WATCHPOST_API_KEY: 'wpk_secret' } });

  it('that read are repeated after a lost connection and while the service is unavailable', async () => {
    script = [cut, unavailable, answer(200, [])];
    expect(await run('monitors', 'list')).to.include({ exitCode: 0, stdout: '[]\n' });
    expect(seen).to.have.length(3);
  });

  it('that create something are repeated with the same Idempotency-Key', async () => {
    script = [cut, answer(201, { id: 'x' })];
    expect(await run('incidents', 'note', INCIDENT.slice(-36), 'text')).to.include({ exitCode: 0 });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).to.have.length(2);
    expect(keys[0]).to.be.a('string').that.equals(keys[1]);
  });

  it('that change something without a key are not repeated once they may have arrived', async () => {
    script = [cut];
    const { exitCode, stderr } = await run('incidents', 'close', INCIDENT.slice(-36));
    expect(exitCode).to.equal(1);
    expect(JSON.parse(stderr)).to.include({ error: 'no_answer' });
    expect(seen).to.have.length(1);
  });

  describe('that apply a document', () => {
    const plan = {
      project: 'shop',
      version: 'v',
      changes: [{ action: 'create', kind: 'monitors', key: 'site', id: null, fields: {} }],
      summary: { create: 1, update: 0, delete: 0, orphan: 0, unchanged: 0 },
      warnings: [],
    };
    const fault = (error: string, message: string) => ({ error, message, details: [], requestId: 'r' });
    const apply = async (...attempts: typeof script) => {
      script = [answer(200, plan), ...attempts];
      const options = { env: { WATCHPOST_URL: url, WATCHPOST_API_KEY: 'wpk_secret' }, input: 'project: shop\n' };
      const { exitCode, stderr } = await runCli(['apply', '--yes', '--json', '-f', '-'], options);
      expect(exitCode).to.equal(1);
      return JSON.parse(stderr.slice(stderr.indexOf('{')));
    };

    it('report that the outcome is unknown where an earlier attempt may have arrived', async () => {
      const { port } = new URL(url);
      const cutForGood = (request: IncomingMessage) => {
        server.close();
        cut(request);
      };
      const refused = await apply(cutForGood);
      await listen(Number(port));
      expect(refused.message).to.include('the connection was refused');
      const limited = answer(429, fault('rate_limited', 'Too many requests.'), { 'retry-after': '60' });
      const others = [
        await apply(cut, limited),
        await apply(answer(504, '<!DOCTYPE html>'), limited),
        await apply(cut, answer(401, fault('invalid_token', 'The key was revoked.'))),
      ];
      for (const { error, message } of [refused, ...others]) expect(error, message).to.equal('outcome_unknown');
    });

    it('report a refusal as it is where no earlier attempt changed anything', async () => {
      const limited = answer(429, fault('rate_limited', 'Too many requests.'), { 'retry-after': '60' });
      expect(await apply(limited)).to.include({ error: 'rate_limited' });
      const outdated = answer(412, fault('precondition_failed', 'The objects were changed meanwhile.'));
      expect(await apply(cut, outdated)).to.include({ error: 'precondition_failed' });
    });
  });

  it('end after three attempts', async () => {
    script = [unavailable];
    const { exitCode, stderr } = await run('workspaces');
    expect(exitCode).to.equal(1);
    expect(JSON.parse(stderr)).to.include({ error: 'unavailable', nextStep: 'Try again in 1 s.' });
    expect(seen).to.have.length(3);
  });

  it('wait for no time that is long, but report it', async () => {
    script = [answer(429, { error: 'rate_limited', message: 'Too many requests.' }, { 'retry-after': '60' })];
    expect(JSON.parse((await run('workspaces')).stderr)).to.include({ nextStep: 'Try again in 60 s.' });
    expect(seen).to.have.length(1);
  });

  it('follow no redirect, which would pass the credential on', async () => {
    script = [answer(301, '', { location: 'https://elsewhere.example/' })];
    const { stderr } = await run('workspaces');
    expect(stderr).to.include('redirects to https://elsewhere.example/').and.include('Name the final address');
    expect(seen).to.have.length(1);
  });

  it('name themselves, so that the audit log shows the command line', async () => {
    script = [answer(200, [])];
    await run('workspaces');
    expect(seen[0]!.headers).to.include({ authorization: 'Bearer wpk_secret' });
    expect(seen[0]!.headers['user-agent']).to.match(/^watchpost-cli\/\d/);
  });

  it('to something that is no Watchpost end with the address', async () => {
    script = [answer(200, '<!DOCTYPE html>')];
    expect(JSON.parse((await run('workspaces')).stderr)).to.include({ error: 'foreign_answer' });
    for (const body of ['null', '7', '[null]', '{}', '[]'])
      for (const command of ['whoami', 'workspaces', 'on-call', 'export']) {
        script = [answer(200, body)];
        expect((await run(command)).stderr, `${command} at ${body}`).to.not.match(
          /TypeError|fault of the command line/,
        );
      }
    script = [answer(200, '{}')];
    expect(JSON.parse((await run('whoami')).stderr)).to.include({ error: 'foreign_answer' });
    script = [answer(404, '<!DOCTYPE html>')];
    expect((await run('workspaces')).stderr)
      .to.include('answered with status 404')
      .and.not.include('wpk_secret');
  });
});
