import { readEnvironment } from './config.js';
import { runProgram } from './command/create-program.js';
import { processTerminal } from './output/terminal.js';

// The reader of a pipe may end first, as `watchpost monitors list | head` does. The command goes on without it: its work may be
// a change that has only begun.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

const environment = readEnvironment();
process.exitCode = await runProgram(process.argv.slice(2), {
  terminal: processTerminal(environment.isPlain),
  environment,
});
