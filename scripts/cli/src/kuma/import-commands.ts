import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../command/command-context.js';
import { CommandError } from '../command/command-error.js';
import type { Bind } from '../command/run-command.js';

const MOST_BYTES = 1_024 * 1_024 * 1_024;

interface ImportCommandOptions {
  withSecrets?: boolean;
  secretsFile?: string;
  appriseUrl?: string;
}

/** Documents made of the configuration of other products. */
export function addImportCommands(program: Command, bind: Bind): void {
  const group = program.command('import').description('make a configuration document of another product');
  group
    .command('uptime-kuma')
    .description('print the document, and to standard error what could not be taken over')
    .argument('<file>', 'kuma.db of Uptime Kuma 1.x or 2.x, or a JSON backup of 1.x')
    .option('--with-secrets', 'write secrets into the document instead of `{ env: NAME }`')
    .option('--secrets-file <file>', 'write the secrets to this new file, as variables for a shell')
    .option('--apprise-url <url>', 'send by this Apprise API server what has no channel of its own')
    .action(bind<ImportCommandOptions>(importFile));
}

async function importFile(
  context: CommandContext,
  [file]: readonly string[],
  { withSecrets = false, secretsFile, appriseUrl: appriseApiUrl }: ImportCommandOptions,
): Promise<void> {
  // YAML and SQLite, which most commands do not need.
  const { importUptimeKuma, UnreadableFile } = await import('./import-uptime-kuma.js');
  const bytes = await readBounded(file!);
  const work = importUptimeKuma(bytes, { nowMs: context.nowMs(), withSecrets, appriseApiUrl });
  const { document, report, environment } = await work.catch((error: unknown) => {
    throw error instanceof UnreadableFile
      ? new CommandError(error.message, { code: 'unreadable_file', cause: error })
      : error;
  });
  if (secretsFile !== undefined) await writeVariables(secretsFile, environment);
  if (!context.isJson) for (const line of report) context.terminal.report(line);
  printResult(context, { document, report }, () => [document.trimEnd()]);
}

async function readBounded(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size <= MOST_BYTES) return await readFile(file);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`, {
      code: 'unreadable_file',
      cause: error,
    });
  }
  throw new CommandError(`${file} has more than 1 GiB.`, {
    code: 'unreadable_file',
    nextStep:
      'Clear the statistics in the settings of Uptime Kuma, which are not imported, and shrink the database there.',
  });
}

/** Writes variables for `set -a; . FILE`. An existing file is not replaced, as others may be able to read it. */
async function writeVariables(file: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(environment).map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`);
  try {
    await writeFile(file, lines.join(''), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}`, {
      code: 'unwritable_file',
      cause: error,
    });
  }
}
