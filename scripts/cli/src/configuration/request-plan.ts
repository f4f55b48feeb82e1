import type { ConfigPlan } from '@watchpost/control-plane/capabilities/documents/document-schemas';
import type { CommandContext } from '../command/command-context.js';
import { CommandError } from '../command/command-error.js';
import type { LocalDocument } from '../document/read-document.js';
import type { ApiClient } from '../http/api-client.js';

/** Longer than the service works on a document at most. */
export const DOCUMENT_DEADLINE_MS = 75_000;

export interface PlanSettings {
  prune: boolean;
  adopt: boolean;
}

/** What applying the document would change. @throws CommandError with the position of each fault in the files */
export async function requestPlan(
  { terminal }: Pick<CommandContext, 'terminal'>,
  api: ApiClient,
  document: LocalDocument,
  settings: PlanSettings,
): Promise<ConfigPlan> {
  const body = { document: document.value, ...settings };
  const options = { repeat: 'free', deadlineMs: DOCUMENT_DEADLINE_MS } as const;
  try {
    const work = api.send<ConfigPlan>('POST', '/api/v1/config/plan', body, 'changes', options);
    return hideInPlan(await terminal.whileShowing('Planning', work), document);
  } catch (error) {
    throw withPlaces(error, document);
  }
}

/** The same plan without the values of variables. Names and actions stay as they are: a value may be a word of them. */
export function hideInPlan(plan: ConfigPlan, document: LocalDocument): ConfigPlan {
  const changes = plan.changes.map((change) => ({ ...change, fields: document.hideFields(change) }));
  return { ...plan, changes, warnings: document.hideVariables(plan.warnings) };
}

/** The same error with the positions of its faults in the files. */
export function withPlaces(error: unknown, document: LocalDocument): unknown {
  if (!(error instanceof CommandError) || error.details.length === 0) return error;
  const { code, exitCode, requestId, details } = error;
  return new CommandError(document.hideVariables(error.message), {
    code,
    exitCode,
    requestId,
    details: document.locateFaults(details),
    nextStep: error.nextStep ?? 'Correct the files, and run the command again.',
    cause: error,
  });
}
