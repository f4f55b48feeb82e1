import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect } from 'chai';

const PROGRAM = `
  import { pino } from 'pino';
  import { mayBeLost } from '@watchpost/shared/may-be-lost';
  const logger = pino(mayBeLost(pino.destination({ maxLength: 1_000 })));
  let lines = 0;
  const timer = setInterval(() => {
    logger.info('a line');
    if (++lines < 50) return;
    clearInterval(timer);
    process.stderr.write('alive');
    if (process.argv.includes('exit')) process.exit(0);
  }, 2);`;

describe('a log on a disk that is full', () => {
  for (const how of ['by itself', 'by exit'])
    it(`does not block a program, which ends ${how}`, function () {
      if (!existsSync('/dev/full')) this.skip();
      const full = openSync('/dev/full', 'w');
      try {
        const { stderr, status } = spawnSync(
          process.execPath,
          ['--input-type=module', '-e', PROGRAM, ...how.split(' ')],
          {
            cwd: new URL('.', import.meta.url),
            stdio: ['ignore', full, 'pipe'],
            timeout: 30_000,
            killSignal: 'SIGKILL',
          },
        );
        expect({ output: stderr.toString(), status }).to.deep.equal({ output: 'alive', status: 0 });
      } finally {
        closeSync(full);
      }
    });
});
