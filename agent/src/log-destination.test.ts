import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect } from 'chai';

const MODULE = new URL('./log-destination.js', import.meta.url).href;
/** Ends at once: at its end the library tries for ever to write what is left. */
const PROGRAM = `
  import { pino } from 'pino';
  import { logDestination } from '${MODULE}';
  const logger = pino(logDestination());
  let lines = 0;
  setInterval(() => {
    logger.info('a line');
    if (++lines === 5) {
      process.stderr.write('alive');
      process.kill(process.pid, 'SIGKILL');
    }
  }, 10);`;

describe('the log', () => {
  it('on a disk that is full ends nothing', function () {
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    try {
      const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
        cwd: new URL('.', import.meta.url),
        stdio: ['ignore', full, 'pipe'],
        timeout: 30_000,
        killSignal: 'SIGKILL',
      });
      expect(stderr.toString()).to.equal('alive');
    } finally {
      closeSync(full);
    }
  });
});
