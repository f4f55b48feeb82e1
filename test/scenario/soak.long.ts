import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { needRedis } from '../support/redis.js';

const MAIN = fileURLToPath(new URL('../soak/main.js', import.meta.url));
/** Others are for `npm run soak`. */
const SEEDS = [4];
const MINUTES = 1;

describe('a soak run: random faults under load', function () {
  this.timeout(8 * 60_000);

  before(function () {
    needRedis(this);
    // Agents are identified by their addresses on loopback, and disks are filled by a limit on files.
    if (process.platform !== 'linux') this.skip();
  });

  for (const seed of SEEDS) {
    it(`violates no rule with seed ${seed}`, async () => {
      const out = mkdtempSync(join(tmpdir(), 'watchpost-soak-report-'));
      const args = ['--minutes', String(MINUTES), '--seed', String(seed), '--monitors', '60', '--out', out];
      const run = spawn(process.execPath, ['--enable-source-maps', MAIN, ...args], { stdio: 'inherit' });
      const [code] = (await once(run, 'exit')) as [number | null];
      expect(code, 'the exit code of the run').to.equal(0);
      expect(readFileSync(join(out, 'soak.md'), 'utf8')).to.contain('No rule was violated');
      rmSync(out, { recursive: true, force: true });
    });
  }
});
