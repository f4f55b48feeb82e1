import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { backoffMs } from '@watchpost/shared/backoff';

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

/** Runs one agent of the home region as a child process, and starts it again when it dies. */
export function startHomeAgent(options: HomeAgentOptions): { stop(): Promise<void> } {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopping = false;
  let attempt = 0;

  const start = (): void => {
    const started = Date.now();
    // The ipc channel tells the agent when this process dies, however it dies. Its own process group
    // keeps a terminal's Ctrl-C from it: it is stopped by `stop`, after the streams it needs.
    const running = spawn(process.execPath, ['--enable-source-maps', ENTRY], {
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
    child = running;
    running.on('error', (error) => options.logger.error({ err: error }, 'home agent could not be started'));
    running.on('exit', (code, signal) => {
      child = null;
      if (stopping) return;
      if (code === EXIT_CONFIG) {
        options.logger.error('home agent was refused and stays stopped: see its last message');
        return;
      }
      if (Date.now() - started > HEALTHY_MS) attempt = 0;
      const delayMs = backoffMs(attempt++, Math.random(), RESTART);
      options.logger.warn({ code, signal, delayMs }, 'home agent ended, starting it again');
      timer = setTimeout(start, delayMs);
    });
  };
  start();

  return {
    async stop() {
      stopping = true;
      if (timer) clearTimeout(timer);
      const running = child;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      running.kill('SIGTERM');
      const deadline = setTimeout(() => running.kill('SIGKILL'), STOP_DEADLINE_MS);
      await ended;
      clearTimeout(deadline);
    },
  };
}
