import { readEnvironment } from './config.js';
import { runProgram } from './command/create-program.js';
import { processTerminal } from './output/terminal.js';

// The reader of a pipe may end first, as `watchpost monitors list | head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const environment = readEnvironment();
process.exitCode = await runProgram(process.argv.slice(2), {
  terminal: processTerminal(environment.isPlain),
  environment,
});
