import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { TestApp } from './app.js';
import { startProcess } from './managed-process.js';

const PROGRAM = fileURLToPath(new URL('./fragile-process.js', import.meta.url));
/** More than anything here has. */
const MOST_MOMENTS = 100;
/** Longer than a process takes on a machine with many times its work. */
const HANG_MS = 300_000;

/** A request, or the periodic work of these names and then the deliveries that are due. */
export interface FragileWork {
  request?: { method: string; path: string; body?: unknown; headers?: Readonly<Record<string, string>> };
  tasks?: readonly string[];
}

/** What `fragile-process.ts` is given. */
export interface FragileOrder extends FragileWork {
  nowMs: number;
  /** The moment at which it is killed, from 1. */
  killAt: number;
  /** Of the secret box, as hexadecimal digits. */
  key: string;
}

/**
 * Has a separate control plane do the same work again and again, which is killed before its first write becomes permanent,
 * then after that, then before its second, and so on until it lives to the end.
 * @param round prepares what the work needs and starts it by `work`, which returns whether the process was killed, and then
 *   examines what came of it
 * @returns how many moments there were
 */
export async function killAtEachMoment(
  { app, env, key }: { app: TestApp; env: Readonly<Record<string, string>>; key: string },
  round: (work: (what: FragileWork) => Promise<boolean>, killAt: number) => Promise<void>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-fragile-'));
  try {
    for (let killAt = 1; killAt <= MOST_MOMENTS; killAt++) {
      let moments: number | undefined;
      await round(async (what) => {
        const order: FragileOrder = { ...what, nowMs: app.clock.now(), killAt, key };
        const { issuer, databaseUrl } = app;
        const child = startProcess({
          args: [PROGRAM, JSON.stringify(order)],
          env: {
            ...env,
            NODE_COMPILE_CACHE: join(folder, 'compiled'),
            DATABASE_URL: databaseUrl,
            OIDC_ISSUER: issuer.issuer,
            OIDC_AUDIENCE: issuer.audience,
          },
          logFile: join(folder, `${killAt}.log`),
        });
        const { code, signal } = await child.ended(HANG_MS);
        if (signal === 'SIGKILL') return true;
        expect(code, child.output()).to.equal(0);
        moments = Number(/moments: (\d+)/.exec(child.output())![1]);
        return false;
      }, killAt);
      if (moments !== undefined) return moments;
    }
    throw new Error(`there are more than ${MOST_MOMENTS} moments`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
