import type { ConfigPlan } from '@watchpost/control-plane/capabilities/documents/document-schemas';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { collectValues } from '../command/list-limit.js';
import { type CommandContext, printResult } from '../command/command-context.js';
import { CommandError, EXIT } from '../command/command-error.js';
import { errorShape } from '../command/report-error.js';
import type { Bind } from '../command/run-command.js';
import { readDocument } from '../document/read-document.js';
import { applyCommand } from './apply-command.js';
import { describePlan, hasDifferences } from './describe-plan.js';
import { requestPlan } from './request-plan.js';

const DEFAULT_MAX_DELETE = 10;

interface PlanOptions {
  file: string[];
  prune?: boolean;
  adopt?: boolean;
}

export function addConfigurationCommands(program: Command, bind: Bind): void {
  withFile(program.command('validate'))
    .description('check a document: its files, its variables, and all that the service requires of it')
    .action(bind(validate));
  withPlan(program.command('diff'))
    .description('print what applying a document would change; the exit code is 2 if it is something')
    .action(bind(showDifferences));
  withPlan(program.command('apply'))
    .description('make the workspace what a document describes, after asking')
    .addOption(
      new Option('--max-delete <number>', 'refuse to delete more objects than this')
        .argParser(readMaxDelete)
        .default(DEFAULT_MAX_DELETE),
    )
    .option('--yes', 'do not ask')
    .action(bind(applyCommand));
  program
    .command('export')
    .description('print the workspace as a document, in YAML')
    .option('--project <name>', 'only what the document of this project manages')
    .action(bind(exportDocument));
}

function withFile(command: Command): Command {
  return command.addOption(
    new Option('-f, --file <path>', 'a file, a folder, or - for standard input; repeat it for several')
      .argParser(collectValues)
      .makeOptionMandatory(),
  );
}

function withPlan(command: Command): Command {
  return withFile(command)
    .option('--prune', 'delete objects of the project that have left the document')
    .option('--adopt', 'take over objects of the same kind and name that no document manages');
}

async function validate(context: CommandContext, _: readonly string[], { file }: PlanOptions): Promise<number | void> {
  let plan: ConfigPlan;
  try {
    const document = await readDocument(context, file);
    plan = await requestPlan(context, await context.connect(), document, { prune: false, adopt: false });
  } catch (error) {
    // The faults of a document are the result of this command.
    if (!context.isJson || !(error instanceof CommandError) || error.details.length === 0) throw error;
    printResult(context, { valid: false, ...errorShape(error) }, () => []);
    return error.exitCode;
  }
  printResult(context, { valid: true, project: plan.project, warnings: plan.warnings }, () => [
    ...plan.warnings.map((warning) => `warning: ${warning}`),
    `${plan.project}: the document is valid.`,
  ]);
}

async function showDifferences(context: CommandContext, _: readonly string[], options: PlanOptions): Promise<number> {
  const { file, prune = false, adopt = false } = options;
  const document = await readDocument(context, file);
  const plan = await requestPlan(context, await context.connect(), document, { prune, adopt });
  printResult(context, plan, () => describePlan(plan, context.terminal.paint));
  return hasDifferences(plan) ? EXIT.differences : EXIT.done;
}

async function exportDocument(
  context: CommandContext,
  _: readonly string[],
  { project }: { project?: string },
): Promise<void> {
  const api = await context.connect();
  const path = '/api/v1/config/export';
  if (context.isJson)
    printResult(context, await api.get<{ apiVersion: string }>(path, 'apiVersion', { project }), () => []);
  else context.terminal.print((await api.getText(path, { project }, 'application/yaml')).trimEnd());
}

function readMaxDelete(text: string): number {
  const most = Number(text);
  if (/^\d+$/.test(text) && most <= 10_000) return most;
  throw new InvalidArgumentError('It must be a whole number from 0 to 10000.');
}
