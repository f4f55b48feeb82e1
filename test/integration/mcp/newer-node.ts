import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** Fetching Node and the tools for the first time takes half a minute; without a registry it ends sooner. */
const FETCH_MS = 120_000;
const NPM = {
  npm_config_loglevel: 'error',
  npm_config_prefer_offline: 'true',
  npm_config_fetch_retries: '1',
  npm_config_fetch_timeout: '20000',
};

/** A program of the MCP project that needs a newer Node than ours, with the Node that it runs on. */
export interface MadeForNewerNode {
  node: string;
  script: string;
}

/** @returns undefined where npm cannot get it here */
export function findInspector(): Promise<MadeForNewerNode | undefined> {
  return find(INSPECTOR, 'mcp-inspector');
}

/** The official conformance suite. @returns undefined where npm cannot get it here */
export function findConformance(): Promise<MadeForNewerNode | undefined> {
  return find(CONFORMANCE, 'conformance');
}

async function find(packageName: string, command: string): Promise<MadeForNewerNode | undefined> {
  try {
    const script = `command -v node; readlink -f "$(command -v ${command})"`;
    const { stdout } = await run('npx', ['-y', '-p', 'node@24', '-p', packageName, '-c', script], {
      timeout: FETCH_MS,
      env: { ...process.env, ...NPM },
    });
    const [node, path] = stdout.trim().split('\n');
    if (!node || !path) return undefined;
    const { stdout: version } = await run(node, ['--version'], { timeout: 60_000 });
    return Number(/^v(\d+)/.exec(version)?.[1]) >= 22 ? { node, script: path } : undefined;
  } catch {
    return undefined;
  }
}

/** Runs it to its end, whatever that is. */
export async function runTool(
  { node, script }: MadeForNewerNode,
  args: readonly string[],
  options: { timeoutMs: number; cwd?: string },
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { timeoutMs, cwd } = options;
  try {
    const { stdout, stderr } = await run(node, [script, ...args], {
      timeout: timeoutMs,
      maxBuffer: 16 * 1024 * 1024,
      ...(cwd === undefined ? {} : { cwd }),
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : 1, stdout, stderr };
  }
}
