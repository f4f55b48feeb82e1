import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { MIB } from '@watchpost/shared/document-limits';
import { isExposed, readBaseUrl } from '../command/choose-url.js';
import { type CommandContext, printResult } from '../command/command-context.js';
import { CommandError, EXIT, usageError } from '../command/command-error.js';
import type { Bind } from '../command/run-command.js';
import { countOf } from '../output/format-time.js';
import { fileError } from '../file-error.js';
import type { Imported } from './finish-document.js';
import type { OnCallProduct } from './on-call/source.js';
import { readFileBounded } from '../read-bounded.js';
import { UnreadableFile } from './rows.js';

const MOST_KUMA_MIB = 1_024;
const MOST_ON_CALL_MIB = 64;

interface SecretOptions {
  withSecrets?: boolean;
  secretsFile?: string;
}

interface OnCallOptions extends SecretOptions {
  apiKey?: string;
  verify?: boolean;
}

export function addImportCommands(program: Command, bind: Bind): void {
  const group = program.command('import').description('make a configuration document of another product');
  const add = (name: string, argument: [string, string]): Command =>
    group
      .command(name)
      .description('print the document, and to standard error what could not be taken over')
      .argument(...argument)
      .option('--with-secrets', 'write secrets into the document instead of `{ env: NAME }`')
      .option('--secrets-file <file>', 'write the secrets to this new file, as variables for a shell');
  add('uptime-kuma', ['<file>', 'kuma.db of Uptime Kuma 1.x or 2.x, or a JSON backup of 1.x'])
    .option('--apprise-url <url>', 'send by this Apprise API server what has no channel of its own')
    .action(bind(importUptimeKumaFile));
  const addOnCall = (name: string, title: string, product: () => Promise<OnCallProduct>) =>
    add(name, ['[file]', `a JSON file with the lists of the API of ${title}`])
      .option('--api-key <key>', `read from the API of ${title} instead, at the address of \`--url\``)
      .option('--verify', 'compare 30 days of shifts with its own final schedule; exit code 2 where they differ')
      .action(
        bind(async (context, [file], options: OnCallOptions) =>
          importOnCallOf(context, await product(), file, options),
        ),
      );
  addOnCall('opsgenie', 'Opsgenie', async () => (await import('./opsgenie/opsgenie.js')).OPSGENIE);
  addOnCall(
    'grafana-oncall',
    'Grafana OnCall',
    async () => (await import('./grafana-oncall/grafana-oncall.js')).GRAFANA_ONCALL,
  );
}

async function importUptimeKumaFile(
  context: CommandContext,
  [file]: readonly string[],
  { appriseUrl: appriseApiUrl, ...options }: SecretOptions & { appriseUrl?: string },
): Promise<void> {
  const bytes = await readImported(
    file!,
    MOST_KUMA_MIB,
    'Clear the statistics in the settings of Uptime Kuma, which are not imported, and shrink the database there.',
  );
  // YAML and SQLite, which most commands do not need.
  const { importUptimeKuma } = await import('../kuma/import-uptime-kuma.js');
  const { withSecrets = false } = options;
  const imported = await readably(() =>
    importUptimeKuma(bytes, { nowMs: context.nowMs(), withSecrets, appriseApiUrl }),
  );
  await printImported(context, imported, options);
}

async function importOnCallOf(
  context: CommandContext,
  product: OnCallProduct,
  file: string | undefined,
  { apiKey, verify: isVerified = false, ...options }: OnCallOptions,
): Promise<number> {
  if ((file === undefined) === (apiKey === undefined))
    throw usageError('Name either a file or `--api-key`.', `\`watchpost import --help\` explains both.`);
  const nowMs = context.nowMs();
  const { COMPARED_MS, importOnCall, readLists } = await import('./on-call/import-on-call.js');
  const range = isVerified ? { fromMs: nowMs, toMs: nowMs + COMPARED_MS } : null;
  const { withSecrets = false } = options;
  const imported = await readably(async () => {
    const lists =
      apiKey === undefined
        ? readLists(
            await readImported(file!, MOST_ON_CALL_MIB, 'Leave out the lists that the guide does not name.'),
            product,
          )
        : await product.readApi(await readerOf(context, product, apiKey), range);
    const verified = !isVerified ? null : apiKey === undefined ? 'file' : 'api';
    return importOnCall(product, lists, { nowMs, withSecrets, verified });
  });
  const { comparison } = imported;
  await printImported(context, imported, options, comparison ?? {});
  if (comparison === null) return EXIT.done;
  const { differences, from, to } = comparison;
  if (!context.isJson) {
    for (const line of differences) context.terminal.report(line);
    context.terminal.report(`${countOf(differences.length, 'difference')} of shifts from ${from} to ${to}`);
  }
  return differences.length === 0 ? EXIT.done : EXIT.differences;
}

async function readerOf({ options, terminal, nowMs }: CommandContext, product: OnCallProduct, apiKey: string) {
  const given = options.url ?? product.apiUrl;
  if (given === null) throw usageError(`${product.name} has no usual address.`, 'Name that of its API with `--url`.');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw usageError('The key has characters that no key has.');
  const url = readBaseUrl(given);
  if (isExposed(url)) terminal.report(`Warning: ${url} is not encrypted, so others on the way can read the key.`);
  const { serviceReader } = await import('./on-call/read-service.js');
  return serviceReader({ name: product.name, url, authorization: product.authorization(apiKey) }, nowMs);
}

async function printImported(
  context: CommandContext,
  { document, report, environment }: Imported,
  { secretsFile }: SecretOptions,
  more: object = {},
): Promise<void> {
  if (secretsFile !== undefined) await writeVariables(secretsFile, environment);
  if (!context.isJson) for (const line of report) context.terminal.report(line);
  printResult(context, { document, report, ...more }, () => [document.trimEnd()]);
}

/** @throws CommandError for what cannot be read */
async function readably<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UnreadableFile
      ? new CommandError(error.message, { code: 'unreadable_file', cause: error })
      : error;
  }
}

function readImported(path: string, mostMib: number, nextStep: string): Promise<Uint8Array> {
  const excess = new CommandError(`${path} has more than ${mostMib} MiB.`, { code: 'unreadable_file', nextStep });
  return readFileBounded(path, mostMib * MIB, excess);
}

/** Writes variables for `set -a; . FILE`. An existing file is not replaced, as others may be able to read it. */
async function writeVariables(file: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(environment).map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`);
  try {
    await writeFile(file, lines.join(''), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw fileError(`${file} cannot be written`, error, { code: 'unwritable_file' });
  }
}
