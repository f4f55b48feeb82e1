import './node-version.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { withLock } from './lock.mjs';
import { printMessage } from './root.mjs';

export { ROOT, printMessage } from './root.mjs';

export const PRODUCT = ['shared', 'control-plane', 'control-plane/console', 'agent'];
/** The demo has name servers and certificates of the tests. */
export const DEMO = [...PRODUCT, 'test/tsconfig.servers.json'];
export const EVERYTHING = [...PRODUCT, 'scripts/cli', 'test'];

/** Installs packages and compiles sources, where the checkout is new or has changed. */
export async function bootstrap(projects) {
  try {
    await withLock(async () => {
      await install();
      if (projects.length > 0) await build(projects);
    });
  } catch (error) {
    printMessage(error.message);
    process.exit(error.exitCode ?? 1);
  }
}
