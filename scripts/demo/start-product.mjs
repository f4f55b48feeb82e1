import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ROOT } from '../bootstrap/index.mjs';

const run = promisify(execFile);
const START_DEADLINE_MS = 180_000;
const ADMIN_DEADLINE_MS = 90_000;

/**
 * Starts the product as `npm start` does, in a separate process, and waits until it is ready.
 * @param ofHome variables of its agent
 */
export async function startProduct(dataDir, ofHome) {
  const env = { ...process.env, ...ofHome, DATA_DIR: dataDir };
  // A separate process group: Ctrl-C reaches only the demo, which then stops the product.
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.mjs')], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const urls = await new Promise((resolve, reject) => {
    let baseUrl;
    const deadline = setTimeout(() => reject(new Error('The product did not get ready in time.')), START_DEADLINE_MS);
    createInterface({ input: child.stdout }).on('line', (line) => {
      console.log(line);
      const ready = / is ready at (\S+)$/.exec(line);
      if (ready) baseUrl = ready[1];
      const agents = /^Agents connect to ([^\s;]+)/.exec(line);
      if (!agents) return;
      clearTimeout(deadline);
      resolve({ baseUrl, agentUrl: agents[1] });
    });
    void ended.then(() => {
      clearTimeout(deadline);
      reject(new Error('The product ended before it was ready.'));
    });
  });
  return {
    ...urls,
    ended,
    /** Runs an operators' command. @returns what it prints */
    async admin(...args) {
      const file = join(ROOT, 'control-plane/dist/admin.js');
      const { stdout } = await run(process.execPath, [file, ...args], { env, timeout: ADMIN_DEADLINE_MS });
      return stdout.trim();
    },
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}
