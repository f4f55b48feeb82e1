import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';

const SCRIPT = resolve('scripts/verify/dependency-audit.mjs');
const RUN = `const { auditDependencies } = await import(process.argv[1]);
  process.stdout.write(JSON.stringify(await auditDependencies(process.argv[2])));`;

/** A project with one dependency for production and one for development. */
const LOCK = {
  name: 'sample',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': { name: 'sample', version: '1.0.0', dependencies: { shipped: '1.0.0' }, devDependencies: { tool: '1.0.0' } },
    'node_modules/shipped': { version: '1.0.0' },
    'node_modules/tool': { version: '1.0.0', dev: true },
  },
};

describe('the audit of dependencies', () => {
  let root: string;
  let registry: Server | undefined;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'dependency-audit-'));
    await writeFile(join(root, 'package.json'), JSON.stringify(LOCK.packages['']));
    await writeFile(join(root, 'package-lock.json'), JSON.stringify(LOCK));
  });
  after(() => rm(root, { recursive: true }));
  afterEach(() => registry?.close());

  /** @returns the result of the check against a registry that answers with `serve` */
  async function auditAgainst(serve: RequestListener, env: Record<string, string> = {}): Promise<unknown> {
    const server = createServer(serve);
    registry = server;
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    return audit({ npm_config_registry: `http://127.0.0.1:${port}/`, ...env });
  }
  async function audit(env: Record<string, string>): Promise<unknown> {
    // npm keeps what it concluded from an advisory.
    const cache = await mkdtemp(join(root, 'cache-'));
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', RUN, SCRIPT, root], {
      env: { ...process.env, npm_config_cache: cache, ...env },
      timeout: 90_000,
    });
    return JSON.parse(stdout);
  }

  const asked: string[] = [];
  /** A registry with one advisory about each of the named packages. */
  function advisories(severity: string, ...names: string[]): RequestListener {
    return (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => void chunks.push(chunk));
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        if (request.url !== '/-/npm/v1/security/advisories/bulk') {
          const name = request.url!.slice(1);
          const versions = { '1.0.0': { name, version: '1.0.0', dist: {} } };
          return void response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions }));
        }
        const body = Buffer.concat(chunks);
        const packages = JSON.parse(
          (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString(),
        ) as Record<string, unknown>;
        asked.push(...Object.keys(packages));
        const known = names.filter((name) => name in packages);
        const advisory = {
          id: 1,
          url: 'https://advisories.example/1',
          title: 'Reads too far',
          vulnerable_versions: '<2',
        };
        response.end(JSON.stringify(Object.fromEntries(known.map((name) => [name, [{ ...advisory, severity }]]))));
      });
    };
  }

  it('fails when the registry has a severe advisory about a production dependency', async () => {
    const [fault, ...more] = (await auditAgainst(advisories('high', 'shipped'))) as string[];
    expect(more).to.deep.equal([]);
    expect(fault).to.match(/^shipped .*high: Reads too far \(https:\/\/advisories\.example\/1\)$/);
  });

  it('passes when no advisory is severe or all severe ones are about development tools', async () => {
    expect(await auditAgainst(advisories('critical'))).to.deep.equal([]);
    registry?.close();
    expect(await auditAgainst(advisories('moderate', 'shipped'))).to.deep.equal([]);
    registry?.close();
    asked.length = 0;
    expect(await auditAgainst(advisories('critical', 'tool'))).to.deep.equal([]);
    expect(asked).to.include('shipped');
  });

  it('is skipped with a reason when the registry serves no advisories or cannot be reached', async () => {
    const refusing: RequestListener = (request, response) => {
      request.resume();
      response.writeHead(405).end();
    };
    expect(await auditAgainst(refusing))
      .to.have.property('skipped')
      .that.contains('405');
    registry?.close();
    expect(await audit({ npm_config_registry: 'http://127.0.0.1:9/' }))
      .to.have.property('skipped')
      .that.contains('serves no advisories');
  });

  it('fails instead of being skipped when an audit is required', async () => {
    const refusing: RequestListener = (request, response) => {
      request.resume();
      response.writeHead(404).end();
    };
    const faults = await auditAgainst(refusing, { REQUIRE_DEPENDENCY_AUDIT: '1' });
    expect(faults).to.be.an('array').with.length(1);
  });
});
