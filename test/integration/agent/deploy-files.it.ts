import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

  it('set existing variables', () => {
    const variables =
      read('control-plane/src/config/config-variables.ts') +
      read('agent/src/config.ts') +
      // of other programs: the database's image, Node.js, and what the composition asks its reader for
      'POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB NODE_ENV GRPC_HOST';
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
