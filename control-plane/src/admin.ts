import { answerCommand } from './app/admin/answer-command.js';
import { ConfigError, readAdminConfig } from './config/config.js';

// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  const answer = await answerCommand(process.argv.slice(2), readAdminConfig());
  for (const line of answer.stdout) process.stdout.write(`${line}\n`);
  for (const line of answer.stderr) process.stderr.write(`${line}\n`);
  process.exitCode = answer.exitCode;
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
