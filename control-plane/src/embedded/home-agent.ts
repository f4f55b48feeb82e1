import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { keepRunning } from '@watchpost/shared/retry';

const ENTRY = fileURLToPath(new URL('../../../agent/dist/main.js', import.meta.url));
const RESTART = { initialMs: 500, maxMs: 30_000, factor: 2 };
/** An agent that ran this long was healthy: the next restart is quick again. */
const HEALTHY_MS = 30_000;
/** The agent drains in 15 s at most; then it is killed. */
const STOP_DEADLINE_MS = 20_000;
/** Bad configuration or a refused token (sysexits EX_CONFIG): starting it again would change nothing. */
const EXIT_CONFIG = 78;

export interface HomeAgentOptions {
  controlPlaneUrl: string;
  token: string;
  dataDir: string;
  /** The environment to pass on: egress settings, log level. */
  env: Readonly<Record<string, string | undefined>>;
  logger: Logger;
}

/** Runs one agent of the home region as a child process, and starts it again when it ends. */
export function startHomeAgent(options: HomeAgentOptions): { stop(): Promise<void> } {
  const { logger } = options;
  const stopping = new AbortController();
  let child: ChildProcess | null = null;

  const run = (): Promise<void> =>
    new Promise((_resolve, reject) => {
      // The ipc channel closes when this process ends, however it ends: the agent then ends too. In a process group of its own the agent
      // does not get a terminal's Ctrl-C: `stop` ends it, after the streams that it needs.
      const started = spawn(process.execPath, ['--enable-source-maps', ENTRY], {
        env: {
          ...options.env,
          CONTROL_PLANE_URL: options.controlPlaneUrl,
          AGENT_TOKEN: options.token,
          DATA_DIR: join(options.dataDir, 'home-agent'),
          METRICS_PORT: '0',
        },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        detached: true,
      });
      child = started;
      started.on('error', (error) => {
        if (started.pid === undefined) reject(error);
        else logger.warn({ err: error }, 'home agent cannot be signalled');
      });
      started.on('exit', (code, signal) => {
        if (code === EXIT_CONFIG && !stopping.signal.aborted) {
          logger.error('home agent was refused and stays stopped: see its last message');
          stopping.abort();
        }
        child = null;
        reject(new Error(`home agent ended with ${signal ?? `exit code ${code}`}`));
      });
    });
  const ended = keepRunning(run, {
    backoff: RESTART,
    healthyMs: HEALTHY_MS,
    signal: stopping.signal,
    onEnd: (error, { delayMs }) => logger.warn({ err: error, delayMs }, 'home agent ended, starting it again'),
  });

  return {
    async stop() {
      stopping.abort();
      child?.kill('SIGTERM');
      const deadline = setTimeout(() => child?.kill('SIGKILL'), STOP_DEADLINE_MS);
      await ended;
      clearTimeout(deadline);
    },
  };
}
