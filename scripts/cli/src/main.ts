import { readEnvironment } from './config.js';
import { runProgram } from './command/create-program.js';
import { processTerminal } from './output/terminal.js';

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe may end first, as `watchpost monitors list | head` does. The command goes on without it: its work may be
    // a change that has only begun.
    if (error.code === 'EPIPE') return;
    if (stream === process.stdout) endWith(1, `error: The output cannot be written: ${reasonOf(error)}.`);
    process.exit(1);
  });
process.once('SIGINT', () =>
  endWith(130, 'Interrupted. A change that was already sent may have been carried out: look before you repeat it.'),
);

function endWith(exitCode: number, sentence: string): void {
  process.stderr.write(`${sentence}\n`, () => process.exit(exitCode));
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ENOSPC' ? 'no space is left (ENOSPC)' : message;
}

const environment = readEnvironment();
process.exitCode = await runProgram(process.argv.slice(2), {
  terminal: processTerminal(environment.isPlain),
  environment,
});
