import { createHash } from 'node:crypto';
import { acceptedContent, type InputRequiredResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { Fault } from '@watchpost/shared/fault';
import { readableText } from './monitored-data.js';

/** What a person agrees to before a tool publishes, pages or deletes. */
export interface Consent {
  /** One sentence. */
  question: string;
  /** What the argument `confirm` repeats where the client cannot ask; null where another argument shows that somebody looked. */
  repeats: string | null;
}

/** What a client that can ask its user sent of the answers (MCP 2026-07-28, multi round-trip requests). */
export interface Elicitation {
  responses: unknown;
  state: unknown;
}

const KEY = 'confirm';

/**
 * Asks the person, through the client where it can, else by an argument that repeats what is at stake.
 * @param args those of the call: an answer counts for the same arguments only
 * @returns the question, undefined where there is consent
 * @throws Fault precondition_failed where the person declined, validation_failed where nothing is repeated
 */
export function requireConsent(
  { question, repeats }: Consent,
  args: Readonly<Record<string, unknown>>,
  elicitation: Elicitation | null,
): InputRequiredResult | undefined {
  if (!elicitation) {
    if (repeats === null || args[KEY] === repeats) return undefined;
    const message = `must repeat ${JSON.stringify(repeats)}, after the user agreed`;
    throw new Fault('validation_failed', `Correct the arguments: ${KEY} ${message}.`, [{ path: KEY, message }]);
  }
  const { confirm: _, ...asked } = args;
  const requestState = createHash('sha256')
    .update(JSON.stringify([question, asked]))
    .digest('hex');
  const responses = (elicitation.responses ?? {}) as Record<string, unknown>;
  const view = inputResponse(responses, KEY);
  if (elicitation.state === requestState && view.kind === 'elicit') {
    if (acceptedContent<{ confirm?: unknown }>(responses, KEY)?.confirm === true) return undefined;
    throw new Fault('precondition_failed', 'The user did not agree, so nothing was done.');
  }
  return inputRequired({
    requestState,
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: readableText(question),
        requestedSchema: {
          type: 'object',
          properties: { [KEY]: { type: 'boolean', title: 'Do it' } },
          required: [KEY],
        },
      }),
    },
  });
}
