import type { ConfigPlan } from '@watchpost/control-plane/capabilities/documents/document-schemas';
import { type CommandContext, printResult } from '../command/command-context.js';
import { CommandError, EXIT, usageError } from '../command/command-error.js';
import { type LocalDocument, readDocument } from '../document/read-document.js';
import type { ApiClient } from '../http/api-client.js';
import { ApiError } from '../http/api-error.js';
import { ConnectionError } from '../http/connection-error.js';
import { describePlan, hasDifferences, summarize } from './describe-plan.js';
import { DOCUMENT_DEADLINE_MS, hideInPlan, requestPlan, withPlaces } from './request-plan.js';

/** Statuses of refusals before the service looks for an earlier request with the same key. */
const REFUSED_BEFORE_KEY = new Set([401, 403, 408, 429]);

export interface ApplyOptions {
  file: string[];
  prune?: boolean;
  adopt?: boolean;
  maxDelete: number;
  yes?: boolean;
}

/** Shows the plan, asks, and applies exactly that plan. */
export async function applyCommand(
  context: CommandContext,
  _: readonly string[],
  options: ApplyOptions,
): Promise<number | void> {
  const { terminal, isJson } = context;
  const { file, prune = false, adopt = false, maxDelete, yes = false } = options;
  if (!yes && (!terminal.isInteractive || file.includes('-')))
    throw usageError(
      'There is no terminal to ask on.',
      'Look at the plan with `watchpost diff`, then add `--yes` to this command.',
    );
  const document = await readDocument(context, file);
  const api = await context.connect();
  const plan = await requestPlan(context, api, document, { prune, adopt });
  const show = isJson ? terminal.report : terminal.print;
  for (const line of describePlan(plan, isJson ? terminal.paintReport : terminal.paint)) show(line);
  if (!hasDifferences(plan)) {
    if (isJson) printResult(context, plan, () => []);
    return;
  }
  if (plan.summary.delete > maxDelete) {
    throw new CommandError(
      `This would delete ${plan.summary.delete} objects, and at most ${maxDelete} may be deleted.`,
      {
        code: 'too_many_deletions',
        nextStep: `Nothing was changed. If that is meant, add \`--max-delete ${plan.summary.delete}\`.`,
      },
    );
  }
  if (!yes && !/^y(?:es)?$/i.test((await terminal.ask('Apply this plan? [y/N] ')).trim())) {
    terminal.report('Nothing was changed.');
    return EXIT.error;
  }
  const applied = await terminal.whileShowing('Applying', apply(api, document, plan, { prune, adopt, maxDelete }));
  printResult(context, hideInPlan(applied, document), () => [
    `${summarize(applied, { create: 'created', update: 'updated', delete: 'deleted' })}.`,
  ]);
}

/** The version of the plan is sent, so that nothing else is done than what was shown. */
async function apply(
  api: ApiClient,
  document: LocalDocument,
  { version }: ConfigPlan,
  settings: { prune: boolean; adopt: boolean; maxDelete: number },
): Promise<ConfigPlan> {
  const body = { document: document.value, ...settings, expectedVersion: version };
  const options = { repeat: 'keyed', deadlineMs: DOCUMENT_DEADLINE_MS } as const;
  try {
    return await api.send<ConfigPlan>('POST', '/api/v1/config/apply', body, 'changes', options);
  } catch (error) {
    throw isUnknown(error) ? unknownOutcome(error as CommandError) : withPlaces(error, document);
  }
}

/** Whether the service may have applied the document although its answer is missing. */
function isUnknown(error: unknown): boolean {
  if (error instanceof ConnectionError && error.mayHaveArrived) return true;
  // A conflict of the key: a former attempt arrived, and its answer is lost.
  if (error instanceof ApiError && (error.status >= 500 || error.code === 'idempotency_conflict')) return true;
  const isOfDocument = error instanceof ApiError && !REFUSED_BEFORE_KEY.has(error.status);
  return error instanceof CommandError && error.followsLostAnswer && !isOfDocument;
}

function unknownOutcome(error: CommandError): CommandError {
  return new CommandError(`It is not known whether the document was applied: ${error.message}`, {
    code: 'outcome_unknown',
    requestId: error.requestId,
    nextStep:
      'All of it was applied, or nothing. `watchpost diff` shows which; running this command again is safe, as it does only what is left to do.',
    cause: error,
  });
}
