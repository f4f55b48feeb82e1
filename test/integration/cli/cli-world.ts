import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import type { TestApp } from '../../support/app.js';
import { type CliRunOptions, type CliResult, runCli } from '../../support/run-cli.js';
import { create, makeWorld, type World } from '../../support/seed.js';

const SCOPES = [
  'monitor.write',
  'incident.write',
  'statuspage.write',
  'alert.write',
  'account.write',
  'user.read',
] as const;

/** A workspace, an API key of its owner, and the command line that calls it. */
export interface CliWorld extends World {
  key: string;
  /** The environment in which a command calls this workspace. */
  env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: CliRunOptions): Promise<CliResult>;
  /** The result of a command that succeeds, as JSON. */
  json(...args: string[]): Promise<Json>;
}

export async function makeCliWorld(app: TestApp, scopes: readonly string[] = SCOPES): Promise<CliWorld> {
  const world = await makeWorld(app);
  const { key } = await create<{ id: string; key: string }>(world.api, '/api/v1/api-keys', { name: 'CI', scopes });
  const env = { WATCHPOST_URL: app.baseUrl, WATCHPOST_API_KEY: key };
  const run: CliWorld['run'] = (args, options = {}) => runCli(args, { ...options, env: { ...env, ...options.env } });
  return {
    ...world,
    key,
    env,
    run,
    async json(...args) {
      const { exitCode, stdout, stderr } = await run([...args, '--json']);
      expect(exitCode, stderr).to.equal(0);
      return JSON.parse(stdout);
    },
  };
}
