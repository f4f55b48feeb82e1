import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BUILD as PRESENT } from '@watchpost/shared/build';
import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import { runCliProcess } from '../../support/run-cli.js';
import { type CliWorld, makeCliWorld } from './cli-world.js';

const BUILD = fileURLToPath(new URL('../../../../scripts/build-cli.mjs', import.meta.url));
const DOCUMENT = `apiVersion: watchpost/v1
project: shop
monitors:
  checkout: { name: Checkout, url: https://shop.example/ }
`;

describe('The command line as one file', () => {
  let app: TestApp;
  let world: CliWorld;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-one-file-'));
    [app] = await Promise.all([
      startTestApp(),
      promisify(execFile)(process.execPath, [BUILD, '--compiled', '--out', folder], { timeout: 60_000 }),
    ]);
    world = await makeCliWorld(app);
  });
  after(async () => {
    await app?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const run = (args: string[], input?: string) =>
    runCliProcess(args, { env: world.env, cwd: folder, file: join(folder, 'watchpost.mjs'), ...(input && { input }) });

  it('runs by itself in a folder without anything else', async () => {
    expect(await readdir(folder)).to.deep.equal(['watchpost.mjs']);
    // Its first line makes the file a program.
    const { stdout } = await promisify(execFile)(join(folder, 'watchpost.mjs'), ['--version'], { cwd: folder });
    expect(stdout).to.equal(`${PRESENT}\n`);
    const applied = await run(['apply', '--yes', '-f', '-'], DOCUMENT);
    expect(applied, applied.stderr).to.include({ exitCode: 0 });
    expect(await run(['diff', '-f', '-'], DOCUMENT)).to.include({ exitCode: 0, stdout: 'shop: 1 unchanged.\n' });
    expect(await run(['diff', '-f', '-'], DOCUMENT.replace('Checkout', 'Shop'))).to.include({ exitCode: 2 });
    expect((await run(['monitors', 'list'])).stdout).to.include('Checkout');
  });
});
