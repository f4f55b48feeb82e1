import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Json } from '../../support/product.js';
import { runCli, runCliProcess } from '../../support/run-cli.js';
import { appForSuite } from '../../support/suite.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { type CliWorld, makeCliWorld } from './cli-world.js';

const HOOK = 'https://hooks.slack.com/services/T1/B1/very-secret';
const GROUPS = `apiVersion: watchpost/v1
project: shop
defaults: { checkInterval: PT1M }
serviceGroups:
  shop: { name: Shop }
actionGroups:
  chat: { type: slack, name: Chat, webhookUrl: { env: SLACK_WEBHOOK } }
`;
const MONITORS = `monitors:
  checkout: { name: Checkout, url: https://shop.example/health, serviceGroup: shop, actionGroups: [chat] }
  blog:
    name: Blog
    url: https://blog.example/
`;

describe('Configuration as code on the command line', () => {
  const app = appForSuite();
  let world: CliWorld;
  let folder: string;
  const env = { SLACK_WEBHOOK: HOOK };
  beforeEach(async () => {
    world = await makeCliWorld(app);
    folder = await mkdtemp(join(tmpdir(), 'watchpost-cli-'));
    await write({ 'groups.yaml': GROUPS, 'sites/monitors.yaml': MONITORS });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  }
  const run = (...args: string[]) => world.run([...args, '-f', folder], { env });
  const json = async (...args: string[]): Promise<Json> => JSON.parse((await run(...args, '--json')).stdout);
  const names = async () =>
    (await world.api<{ name: string }[]>('GET', '/api/v1/monitor?sort=name')).body.map(({ name }) => name);

  it('diffs, applies and prunes a folder, with exit codes that CI can act on', async () => {
    expect(await run('validate')).to.include({ exitCode: 0, stdout: 'shop: the document is valid.\n' });
    const planned = await run('diff');
    expect(planned.exitCode).to.equal(2);
    expect(planned.stdout.split('\n')).to.include.members(['+ monitors.checkout', 'shop: 4 to create.']);
    expect(await names(), 'a diff changes nothing').to.deep.equal([]);

    const applied = await run('apply', '--yes');
    expect(applied.exitCode, applied.stderr).to.equal(0);
    expect(applied.stdout).to.include('shop: 4 created.');
    expect(await names()).to.deep.equal(['Blog', 'Checkout']);
    expect(await run('diff')).to.include({ exitCode: 0, stdout: 'shop: 4 unchanged.\n' });
    expect(await run('apply', '--yes')).to.include({ exitCode: 0, stdout: 'shop: 4 unchanged.\n' });

    await write({ 'sites/monitors.yaml': MONITORS.replace('name: Blog', 'name: The blog') });
    const drift = await run('diff');
    expect(drift).to.include({ exitCode: 2 });
    expect(drift.stdout).to.include('~ monitors.blog\n    name: "Blog" → "The blog"\n');

    await write({ 'sites/monitors.yaml': MONITORS.slice(0, MONITORS.indexOf('  blog:')) });
    const orphan = await run('diff');
    expect(orphan.exitCode, 'orphans alone are no difference').to.equal(0);
    expect(orphan.stdout).to.include('? monitors.blog').and.include('1 orphan');
    const refused = await run('apply', '--yes', '--prune', '--max-delete', '0');
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.include('Nothing was changed. If that is meant, add `--max-delete 1`.');
    expect(await json('apply', '--yes', '--prune')).to.nested.include({ 'summary.delete': 1, 'summary.unchanged': 3 });
    expect(await names()).to.deep.equal(['Checkout']);
  });

  it('reads folders and files that symbolic links lead to, and refuses a link that leads nowhere', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'watchpost-cli-'));
    try {
      await run('apply', '--yes');
      await rename(join(folder, 'sites'), join(elsewhere, 'sites'));
      await rename(join(folder, 'groups.yaml'), join(elsewhere, 'shared'));
      await symlink(join(elsewhere, 'sites'), join(folder, 'sites'));
      await symlink(join(elsewhere, 'shared'), join(folder, 'groups.yaml'));
      expect(await run('diff', '--prune')).to.include({ exitCode: 0, stdout: 'shop: 4 unchanged.\n' });
      await symlink(folder, join(elsewhere, 'sites/above'));
      const circle = await run('diff', '--prune');
      expect(circle.exitCode).to.equal(1);
      expect(circle.stderr).to.include('is nested more than 20 folders deep');
      await rm(elsewhere, { recursive: true });
      const broken = await run('diff', '--prune');
      expect(broken.exitCode).to.equal(1);
      expect(broken.stderr).to.include('cannot be read: it does not exist');
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  it('refuses a file without end as soon as it is too long', async () => {
    const { exitCode, stderr } = await world.run(['validate', '-f', '/dev/zero']);
    expect([exitCode, stderr.split('\n')[0]]).to.deep.equal([1, 'error: The document has more than 4 MiB.']);
  });

  it('asks before it applies, and without a terminal needs --yes', async () => {
    const silent = await runCliProcess(['apply', '-f', folder], { env: { ...world.env, ...env } });
    expect(silent.exitCode).to.equal(64);
    expect(silent.stderr).to.include('add `--yes`');
    const answer = (text: string) => world.run(['apply', '-f', folder], { env, ask: () => Promise.resolve(text) });
    const refused = await answer('no');
    expect(refused).to.include({ exitCode: 1 });
    expect(refused.stdout).to.include('+ monitors.blog');
    expect(refused.stderr).to.include('Apply this plan? [y/N] ').and.include('Nothing was changed.');
    expect(await names()).to.deep.equal([]);
    expect(await answer('y')).to.include({ exitCode: 0 });
    expect(await names()).to.have.length(2);
  });

  it('ends its work with its own exit code where nobody reads its output', async () => {
    const unread = async (...args: string[]) => {
      const options = { env: { ...world.env, ...env }, isUnread: true };
      return (await runCliProcess([...args, '-f', folder], options)).exitCode;
    };
    expect(await unread('diff')).to.equal(2);
    expect(await unread('apply', '--yes')).to.equal(0);
    expect(await names()).to.deep.equal(['Blog', 'Checkout']);
    await rm(join(folder, 'sites/monitors.yaml'));
    expect(await unread('apply', '--yes', '--prune', '--max-delete', '0')).to.equal(1);
    expect(await names()).to.have.length(2);
  });

  it('applies what was shown or nothing', async () => {
    await run('apply', '--yes');
    await write({ 'sites/monitors.yaml': MONITORS.replace('name: Blog', 'name: Journal') });
    const [blog] = (await world.api<Json[]>('GET', '/api/v1/monitor?name=Blog')).body;
    const ask = async () => {
      await world.api('PUT', `/api/v1/monitor/${blog.id}`, { checkInterval: 'PT5M' });
      return 'y';
    };
    const { exitCode, stderr } = await world.run(['apply', '-f', folder], { env, ask });
    expect(exitCode).to.equal(1);
    expect(stderr).to.include('run the command again, and look at the new plan');
  });

  it('reports every fault with its file, line and column', async () => {
    await write({
      'groups.yaml': GROUPS.replace('PT1M', 'often'),
      'sites/monitors.yaml': MONITORS.replace('[chat]', '[chat, none]').replace('https://blog.example/', 'nonsense'),
    });
    const { exitCode, stdout, stderr } = await run('diff');
    expect(exitCode).to.equal(1);
    expect(stdout).to.equal('');
    const lines = stderr.replaceAll(`${folder}/`, '').split('\n');
    expect(lines).to.satisfy(
      (all: string[]) =>
        [
          /^groups\.yaml:3:28: monitors\.\w+\.checkInterval must be /,
          /^sites\/monitors\.yaml:2:\d+: monitors\.checkout\.actionGroups\.1 is no key/,
          /^sites\/monitors\.yaml:5:10: monitors\.blog\.url /,
        ].every((wanted) => all.some((line) => wanted.test(line))),
      stderr,
    );
    const validated = await run('validate', '--json');
    expect([validated.exitCode, validated.stderr]).to.deep.equal([1, '']);
    const faults: Json = JSON.parse(validated.stdout);
    expect(faults.valid).to.equal(false);
    expect(faults.error).to.equal('validation_failed');
    expect(faults.details.find(({ path }: Json) => path === 'monitors.blog.url')).to.include({
      file: join(folder, 'sites/monitors.yaml'),
      line: 5,
      column: 10,
    });
  });

  it('takes an empty variable only where that is permitted', async () => {
    const env = { ...world.env, SLACK_WEBHOOK: '' };
    const refused = await runCli(['validate', '-f', folder, '--json'], { env });
    expect([refused.exitCode, refused.stderr]).to.deep.equal([1, '']);
    expect(JSON.parse(refused.stdout).details[0].message).to.equal(
      'names the environment variable SLACK_WEBHOOK, which is empty: set it, or add `allowEmpty: true`',
    );
    await write({
      'groups.yaml': GROUPS.replace('{ env: SLACK_WEBHOOK }', '{ env: SLACK_WEBHOOK, allowEmpty: true }'),
    });
    const sent = JSON.parse((await runCli(['validate', '-f', folder, '--json'], { env })).stdout);
    expect(sent.details[0].path).to.equal('actionGroups.chat.webhookUrl');
    expect(sent.details[0].message).not.to.include('variable');
  });

  it('reports a missing variable by its place, and never prints the value of one', async () => {
    const missing = await world.run(['diff', '-f', folder]);
    expect(missing.exitCode).to.equal(1);
    expect(missing.stderr).to.include(
      `${folder}/groups.yaml:7:36: actionGroups.chat.webhookUrl names the environment variable SLACK_WEBHOOK, which is not set`,
    );
    await write({
      'groups.yaml': GROUPS.replace('name: Chat', 'name: { env: CHAT_NAME }')
        .replace('name: Shop', 'name: { env: WORD }')
        .replace('PT1M', 'PT1M, tags: [{ env: TEAM }]'),
    });
    const former = { SLACK_WEBHOOK: HOOK, CHAT_NAME: 'former chat', WORD: 'q7z', TEAM: 'k9w' };
    const applied = await world.run(['apply', '--yes', '-f', folder], { env: former });
    expect(applied.exitCode, applied.stderr).to.equal(0);
    const secret = { SLACK_WEBHOOK: `${HOOK}-2`, CHAT_NAME: 'Operations chat', WORD: 'actionGroups', TEAM: 'v3x' };
    const values = ['very-secret', 'Operations chat', 'former chat', 'q7z', 'k9w', 'v3x'];
    for (const args of [['diff'], ['diff', '--json'], ['apply', '--yes']]) {
      const { stdout, stderr } = await world.run([...args, '-f', folder], { env: secret });
      for (const value of values) expect(stdout + stderr, args.join(' ')).to.not.include(value);
      for (const shown of ['$SLACK_WEBHOOK', '$CHAT_NAME', '$WORD', '$TEAM', '***', 'actionGroups'])
        expect(stdout, args.join(' ')).to.include(shown);
    }
  });

  it('takes a document from standard input, and exports one that changes nothing', async () => {
    const document = `${GROUPS}${MONITORS}`;
    const applied = await runCliProcess(['apply', '--yes', '-f', '-'], {
      env: { ...world.env, ...env },
      input: document,
    });
    expect(applied, applied.stderr).to.include({ exitCode: 0 });
    const { stdout, exitCode } = await world.run(['export', '--project', 'shop']);
    expect(exitCode).to.equal(0);
    const exported: Json = parse(stdout);
    expect(exported.actionGroups.chat.webhookUrl).to.have.property('env').that.is.a('string');
    expect(stdout).to.not.include('very-secret');
    const variable: string = exported.actionGroups.chat.webhookUrl.env;
    const again = await world.run(['diff', '-f', '-'], { env: { [variable]: HOOK }, input: stdout });
    expect(again, again.stdout).to.include({ exitCode: 0 });
    expect(await world.json('export', '--project', 'shop')).to.deep.equal(exported);

    const other = await makeCliWorld(app);
    await other.api('POST', '/api/v1/monitor', { name: 'Blog', url: 'https://blog.example/' });
    const adopted = await other.run(['apply', '--yes', '--adopt', '-f', folder], { env });
    expect(adopted.stdout).to.include('~ monitors.blog');
    expect((await other.api<Json[]>('GET', '/api/v1/monitor')).body).to.have.length(2);
  });

  it('cut off while it applies reports that the outcome is unknown, and a second run ends in the document', async () => {
    const proxy = await startTcpProxy(Number(new URL(app.baseUrl).port));
    try {
      const through = { ...world.env, ...env, WATCHPOST_URL: `http://127.0.0.1:${proxy.port}` };
      const route = app.plane.routes.find(({ operationId }) => operationId === 'applyConfig')!;
      const handle = route.handle.bind(route);
      // The document is applied, and no byte of the answer comes through.
      route.handle = async (request) => {
        const answer = await handle(request);
        proxy.cut();
        return answer;
      };
      const broken = await runCliProcess(['apply', '--yes', '-f', folder], { env: through });
      route.handle = handle;
      expect(broken.exitCode).to.equal(1);
      expect(broken.stderr).to.include('It is not known whether the document was applied');
      expect(broken.stderr).to.include('`watchpost diff` shows which; running this command again is safe');
      proxy.restore();
      const second = await world.run(['apply', '--yes', '-f', folder], {
        env: { ...env, WATCHPOST_URL: through.WATCHPOST_URL },
      });
      expect(second, second.stderr).to.include({ exitCode: 0, stdout: 'shop: 4 unchanged.\n' });
      expect(await run('diff')).to.include({ exitCode: 0, stdout: 'shop: 4 unchanged.\n' });
      expect(await names()).to.deep.equal(['Blog', 'Checkout']);
    } finally {
      await proxy.stop();
    }
  });
});
