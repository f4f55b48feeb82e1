import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configVariables } from '@watchpost/control-plane/config/config-variables';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The text of the sources, without their tests. */
function sources(folder: string): string {
  return (readdirSync(join(ROOT, folder), { recursive: true }) as string[])
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => read(join(folder, path)))
    .join('\n');
}

describe('the files in deploy/', () => {
  it('use existing metrics in Prometheus rules and dashboards', () => {
    const code = sources('control-plane/src') + sources('agent/src');
    const known = new Set([...code.matchAll(/'(watchpost_[a-z0-9_]+)'/g)].map(([, name]) => name!));
    for (const path of ['deploy/prometheus/watchpost.rules.yaml', 'deploy/grafana/watchpost.json']) {
      const asked = new Set([...read(path).matchAll(/\bwatchpost_[a-z0-9_]+/g)].map(([name]) => name));
      expect(asked.size, path).to.be.above(10);
      for (const name of asked)
        expect(known.has(name) || known.has(name.replace(/_(?:bucket|sum|count)$/, '')), `${name} in ${path}`).to.equal(
          true,
        );
    }
  });

  it('pass every variable on, and the guides name each', () => {
    const namesIn = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)].map(([, name]) => name!);
    const guides = {
      'docs/guides/run-in-production.md': Object.keys(configVariables.shape),
      'docs/guides/run-agents.md': namesIn('agent/src/config.ts', /(?:env\[|whole\(|cidrs\(|egress\()'([A-Z_]+)'/g),
    };
    for (const [guide, variables] of Object.entries(guides)) {
      expect(variables.length, guide).to.be.above(8);
      for (const name of variables) expect(read(guide), `${name} in ${guide}`).to.match(new RegExp(`\\b${name}\\b`));
    }
    // Files of variables, so that none has to be named.
    for (const name of ['control-plane', 'agent']) {
      expect(read('deploy/container/compose.yaml')).to.include(`env_file: ${name}.env`);
      expect(read(`deploy/systemd/watchpost-${name}.service`)).to.include(`EnvironmentFile=/etc/watchpost/${name}.env`);
    }
    const known = new Set(Object.values(guides).flat());
    for (const name of ['control-plane', 'agent']) {
      const set = namesIn(`deploy/container/${name}.env.example`, /^([A-Z_]+)=/gm);
      expect(set).to.not.deep.equal([]);
      for (const variable of set) expect(known.has(variable), variable).to.equal(true);
    }
    // What nobody can sign in without.
    for (const path of ['deploy/container/control-plane.env.example', 'docs/guides/run-in-production.md'])
      expect(namesIn(path, /^([A-Z_]+)=/gm)).to.include.members([
        'BASE_URL',
        'ENCRYPTION_KEY',
        'OIDC_ISSUER',
        'OIDC_AUDIENCE',
        'OIDC_CONSOLE_CLIENT_ID',
        'TRUST_PROXY_CIDRS',
      ]);
  });

  it('restart what a full disk has stopped, however often it fails', () => {
    for (const name of ['agent', 'control-plane'])
      expect(read(`deploy/systemd/watchpost-${name}.service`)).to.match(/^StartLimitIntervalSec=0$/m);
  });

  it('name a home folder, which a user of systemd has only where libnss-systemd is, and without which no job runs', () => {
    const [, folder] = /^Environment=.*\bDATA_DIR=(\S+)/m.exec(read('deploy/systemd/watchpost-control-plane.service'))!;
    expect(read('deploy/systemd/watchpost-control-plane.service')).to.match(
      new RegExp(`^Environment=.*\\bHOME=${folder}$`, 'm'),
    );
  });

  it('set existing variables', () => {
    const variables =
      read('control-plane/src/config/config-variables.ts') +
      read('agent/src/config.ts') +
      // of other programs: the database's image, Node.js, the system, and what the composition asks its reader for
      'POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB NODE_ENV GRPC_HOST HOME';
    const files = ['container/agent.Dockerfile', 'container/control-plane.Dockerfile', 'container/compose.yaml'];
    const units = ['systemd/watchpost-agent.service', 'systemd/watchpost-control-plane.service'];
    for (const file of [...files, ...units]) {
      const set = read(`deploy/${file}`)
        .split('\n')
        .filter((line) => /^(?:ENV |Environment=| {6}[A-Z][A-Z_]+:)/.test(line))
        .flatMap((line) => [...line.matchAll(/\b([A-Z][A-Z0-9_]{3,})(?==|:)/g)].map(([, name]) => name!));
      expect(set.length, file).to.be.above(0);
      for (const name of set) expect(variables, `${name} in ${file}`).to.match(new RegExp(`\\b${name}\\b`));
    }
  });

  it('have a unit that starts the agent without the token file after it is spent', () => {
    const unit = read('deploy/systemd/watchpost-agent.service');
    const [, loaded] = /^LoadCredential=([\w-]+):/m.exec(unit)!;
    // What systemd falls back on: blank, which the agent takes for none.
    expect(unit).to.match(new RegExp(`^SetCredential=${loaded}:\\\\n$`, 'm'));
    expect(unit).to.include(`AGENT_TOKEN_FILE=%d/${loaded}`);
  });

  it('have units that systemd accepts', function () {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-units-'));
    try {
      for (const name of ['watchpost-agent.service', 'watchpost-control-plane.service']) {
        const unit = read(`deploy/systemd/${name}`);
        expect(unit).to.include('DynamicUser=yes').and.to.include('RestartPreventExitStatus=');
        // the programs are not installed on the machine that tests
        writeFileSync(join(folder, name), unit.replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath} --version`));
        execFileSync('systemd-analyze', ['verify', '--man=no', join(folder, name)], { stdio: 'pipe' });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
