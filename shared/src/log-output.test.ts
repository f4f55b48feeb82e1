import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

/** They take a second or two. */
const PROGRAM_TIMEOUT_MS = 60_000;

/** Runs a program of these statements, whose standard output is a file or a device. */
function run(statements: string, output: string) {
  const program = `
    import { pino } from 'pino';
    import { LogOutput } from '@watchpost/shared/log-output';
    const logger = pino({ base: null, timestamp: false }, new LogOutput(1_000));
    const alive = () => process.stderr.write('alive');
    ${statements}`;
  const fd = openSync(output, 'w');
  try {
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: new URL('.', import.meta.url),
      stdio: ['ignore', fd, 'pipe'],
      timeout: PROGRAM_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    return { output: stderr.toString(), status };
  } finally {
    closeSync(fd);
  }
}

const LOG_FOR_A_WHILE = (end: string) => `
  let lines = 0;
  const timer = setInterval(() => {
    logger.info('a line');
    if (++lines < 50) return;
    clearInterval(timer);
    alive();
    ${end}
  }, 2);`;

describe('the output of a log', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'log-output-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const programs = {
    'ends by itself': LOG_FOR_A_WHILE(''),
    'exits later': LOG_FOR_A_WHILE('process.exit(0);'),
    'exits after its first line': `logger.fatal('the reason'); alive(); process.exit(0);`,
  };
  for (const [what, statements] of Object.entries(programs))
    it(`does not block a program on a full disk that ${what}`, function () {
      if (!existsSync('/dev/full')) this.skip();
      expect(run(statements, '/dev/full')).to.deep.equal({ output: 'alive', status: 0 });
    });

  it('has every line of a program that exits at once, as far as they are within its limit', () => {
    const path = join(folder, 'log');
    const statements = `for (let line = 0; line < 100; line++) logger.info({ line }); alive(); process.exit(0);`;
    expect(run(statements, path)).to.deep.equal({ output: 'alive', status: 0 });
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    const numbers = lines.map((text) => (JSON.parse(text) as { line: number }).line);
    expect(numbers.toSorted((a, b) => a - b)).to.deep.equal([...Array(numbers.length).keys()]);
    expect(lines.join('\n').length).to.be.within(900, 1_050);
  });

  it('has the lines in order, and those that waited for the disk once it takes them', function () {
    if (!existsSync('/dev/full')) this.skip();
    const path = join(folder, 'log');
    const statements = `
      import { closeSync, openSync, readFileSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      const fd = openSync('/dev/full', 'w');
      const lossy = new LogOutput(1_000, fd);
      for (let line = 0; line < 10; line++) lossy.write(line + '\\n');
      await setTimeout(100);
      closeSync(fd);
      if (openSync('${path}', 'w') !== fd) throw new Error('another descriptor');
      lossy.write('10\\n');
      while (!readFileSync('${path}', 'utf8').endsWith('10\\n')) await setTimeout(10);
      alive();`;
    expect(run(statements, '/dev/null')).to.deep.equal({ output: 'alive', status: 0 });
    expect(readFileSync(path, 'utf8')).to.equal([...Array(11).keys()].map((line) => `${line}\n`).join(''));
  });

  it('has every line where a pipe is full until its reader goes on', () => {
    const program = `
      import { LogOutput } from '@watchpost/shared/log-output';
      // This makes Node.js switch a pipe to answers of EAGAIN.
      void process.stdout;
      const output = new LogOutput(1_000_000);
      for (let line = 0; line < 10_000; line++) output.write(String(line).padStart(50) + '\\n');
      setInterval(() => output.isBusy || process.exit(0), 50);`;
    const piped = spawnSync(
      'sh',
      ['-c', '"$0" --input-type=module -e "$1" | { sleep 0.3; cat; }', process.execPath, program],
      {
        cwd: new URL('.', import.meta.url),
        timeout: PROGRAM_TIMEOUT_MS,
        encoding: 'utf8',
      },
    );
    const numbers = piped.stdout.trimEnd().split('\n').map(Number);
    expect(numbers).to.deep.equal([...Array(10_000).keys()]);
  });
});
