import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createAuthority } from '../../support/certificates.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { startProduct, type ApiResponse, type Product } from '../../support/product.js';

const FOLDER = fileURLToPath(new URL('../../../../deploy/proxy/nginx/', import.meta.url));
const STREAM_MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so';
/** Not the proxy's own address, which is trusted to name others. */
const CLIENT = '127.0.0.2';

describe('Watchpost behind nginx, as deploy/proxy/nginx configures it', function () {
  const hasStream = existsSync(STREAM_MODULE);
  let folder: string;
  let product: Product;
  let nginx: ChildProcess | undefined;
  let ca: string;
  let [port, plainPort, agentPort] = [0, 0, 0];

  before(async function () {
    if (spawnSync('nginx', ['-v']).status !== 0) this.skip();
    folder = mkdtempSync(join(tmpdir(), 'watchpost-nginx-'));
    [port, plainPort, agentPort] = [await freePort(), await freePort(), await freePort()];
    const authority = await createAuthority();
    ca = authority.rootPem;
    const { key, cert } = await authority.issue({ names: ['localhost'] });
    writeFileSync(join(folder, 'fullchain.pem'), cert);
    writeFileSync(join(folder, 'privkey.pem'), key);
    product = await startProduct({
      env: {
        BASE_URL: `https://localhost:${port}`,
        TRUST_PROXY_CIDRS: '127.0.0.1/32',
        GRPC_TLS_HOSTS: 'localhost',
      },
    });
    const upstream = new URL(product.baseUrl).host;
    const fitted = (file: string) =>
      readFileSync(join(FOLDER, file), 'utf8')
        .replaceAll('127.0.0.1:8080', upstream)
        .replaceAll('127.0.0.1:8443', `127.0.0.1:${product.grpcPort}`)
        .replaceAll('/etc/ssl/watchpost', folder)
        .replaceAll('watchpost.example', 'localhost')
        .replaceAll('listen 80;', `listen 127.0.0.1:${plainPort};`)
        .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll('listen 8444', `listen 127.0.0.1:${agentPort}`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (of) => `${of}_temp_path ${folder}/${of};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `${hasStream ? `load_module ${STREAM_MODULE};` : ''}
      ${process.getuid!() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
      events { worker_connections 256; }
      http { access_log off; ${temporary.join(' ')} ${fitted('watchpost.conf')} }
      ${hasStream ? `stream { ${fitted('watchpost-agents.stream.conf')} }` : ''}`,
    );
    nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    await product.startControlPlane();
    await eventually(
      'nginx passes requests on',
      async () => (await send('GET', '/health').catch(() => undefined))?.status === 200 || undefined,
    );
  });
  after(async () => {
    nginx?.kill('SIGQUIT');
    await product?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  async function open(method: string, path: string, body?: object, headers: object = {}): Promise<IncomingMessage> {
    const token = await product.issuer.token({
      sub: 'user-1',
      claims: { email: 'user-1@example.test', email_verified: true },
    });
    const sent = request(`https://localhost:${port}${path}`, {
      method,
      ca,
      agent: false,
      localAddress: CLIENT,
      family: 4,
      timeout: 60_000,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    });
    sent.end(body && JSON.stringify(body));
    return new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject));
  }

  async function send(
    method: string,
    path: string,
    body?: object,
    headers?: object,
  ): Promise<Pick<ApiResponse, 'status' | 'body'>> {
    const response = await open(method, path, body, headers);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode!, body: JSON.parse(text) };
  }

  it('is reached by HTTP/2, and by plain HTTP only to be sent there', async () => {
    const session = connect(`https://localhost:${port}`, { ca });
    const status = await new Promise((resolve, reject) => {
      session.once('error', reject);
      session
        .request({ ':path': '/health/ready' })
        .once('response', (headers) => resolve(headers[':status']))
        .once('error', reject)
        .end();
    });
    expect(session.alpnProtocol).to.equal('h2');
    session.close();
    expect(status).to.equal(200);
    const plain = await new Promise<IncomingMessage>((resolve, reject) =>
      getPlain(`http://localhost:${plainPort}/console`, { family: 4 }, resolve).once('error', reject),
    );
    plain.resume();
    expect([plain.statusCode, plain.headers.location]).to.deep.equal([301, 'https://localhost/console']);
  });

  it('knows the address of a caller, who cannot name another one', async () => {
    const { status } = await send(
      'POST',
      '/api/v1/teams',
      { name: 'Night watch' },
      { 'x-forwarded-for': '203.0.113.9' },
    );
    expect(status).to.equal(201);
    const { body: workspaces } = await send('GET', '/api/v1/workspaces');
    const { body } = await send('GET', `/api/v1/workspaces/${workspaces[0].id}/audit?action=team.created`);
    expect(body[0].remoteAddress).to.equal(CLIENT);
  });

  it('refuses a body that is too large itself, with a reason', async () => {
    const { status, body } = await send('POST', '/api/v1/teams', { name: 'n'.repeat(3_000_000) });
    expect([status, body.error]).to.deep.equal([413, 'payload_too_large']);
  });

  it('sends events at once', async () => {
    const stream = await open('GET', '/api/v1/events', undefined, { accept: 'text/event-stream' });
    let received = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    await eventually('the stream begins', () => received !== '' || undefined);
    const { body } = await send('POST', '/api/v1/monitor', { url: 'http://127.0.0.1:9/' });
    await eventually('the new monitor is announced', () => received.includes(body.id) || undefined);
    stream.destroy();
  });

  it('lets agents through to its own TLS', async function () {
    if (!hasStream) this.skip();
    const { token } = await product.createAgent('northeurope', 'behind-nginx');
    const agent = product.startAgent({
      name: 'behind-nginx',
      token,
      env: { CONTROL_PLANE_URL: `https://localhost:${agentPort}` },
    });
    await eventually(
      'the agent is connected',
      () => agent.output().includes('connected to the control plane') || undefined,
    );
  });
});
