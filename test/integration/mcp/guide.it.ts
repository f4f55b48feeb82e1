import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';
import { RpcClient } from './rpc-client.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const DEADLINE_MS = 30_000;

describe('The guide to assistants', () => {
  const app = appForSuite();
  const world = worldForSuite(app, 'Growth');
  let guide: string;
  const env: Record<string, string> = {};
  before(async () => {
    await seedIncident(world, (await seedMonitor(world)).id);
    guide = await readFile(`${ROOT}docs/guides/connect-assistants.md`, 'utf8');
    Object.assign(env, {
      BASE_URL: app.baseUrl,
      TOKEN: await app.token(world.owner.sub),
      WORKSPACE: world.workspaceId,
    });
  });

  const blocksIn = (language: string): string[] =>
    [...guide.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, of, text]) => (of === language ? [text!] : []));
  const options = () => ({ timeout: DEADLINE_MS, cwd: ROOT, env: { ...process.env, ...env } });

  it('has commands that make a key which reads, and call with it in both ways', async () => {
    const [make, ...calls] = blocksIn('bash');
    const { key } = JSON.parse((await run('bash', ['-c', make!], options())).stdout) as { key: string };
    env['WATCHPOST_API_KEY'] = key;
    expect(calls).to.have.length(2);
    for (const call of calls) {
      const { result }: Json = JSON.parse((await run('bash', ['-c', call], options())).stdout);
      expect(result.structuredContent?.total ?? JSON.parse(result.content[0].text).length).to.equal(1);
    }
    const client = new RpcClient(app.baseUrl, { token: key });
    const { tools } = (await client.call('tools/list')).body.result;
    const changing = app.plane.mcp.tools.filter(
      ({ access }) => access !== 'anonymous' && access.feature === 'mcpWrite',
    );
    expect(tools).to.have.length(app.plane.mcp.tools.length - changing.length);
    expect((await client.tool('close_incident', { incidentId: world.workspaceId })).error.code).to.equal(-32003);
  });

  it('has a program with the official library that runs', async () => {
    const [program, ...more] = blocksIn('js');
    expect(more).to.deep.equal([]);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program!], options());
    expect(stdout.trim()).to.equal('1');
  });

  it('has configurations that can be read, of this endpoint, without a token in them', () => {
    const blocks = blocksIn('json');
    expect(blocks).to.have.length.at.least(8);
    for (const block of blocks) {
      expect(() => JSON.parse(block), block).to.not.throw();
      expect(block).to.match(/(https:\/\/watchpost\.example|http:\/\/127\.0\.0\.1:8080)\/mcp"/);
      for (const [, token] of block.matchAll(/Bearer ([^"]*)/g)) expect(token).to.match(/^(your-key$|\$\{)/);
    }
  });

  it('names every tool, and what it needs', () => {
    const rows = [...guide.matchAll(/^\| `(\w+)` +\| .+? +\| (.+?) +\|$/gm)];
    const needs = new Map(rows.map(([, name, need]) => [name!, need!]));
    const PLANS = { mcpRead: 'Growth', mcpWrite: 'Pro' };
    for (const { name, access } of app.plane.mcp.tools) {
      const need = needs.get(name);
      if (access === 'anonymous') expect(need, name).to.match(/^nothing;/);
      else {
        const role = access.role === 'Viewer' ? '' : `, ${access.role}`;
        expect(need, name).to.equal(`\`${access.scopes.at(-1)}\`, ${PLANS[access.feature]}${role}`);
      }
    }
    const known = new Set(app.plane.mcp.tools.map(({ name }) => name));
    expect([...needs.keys()].filter((name) => !known.has(name))).to.deep.equal([]);
  });
});
