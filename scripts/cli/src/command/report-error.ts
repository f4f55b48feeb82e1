import { cleanText } from '@watchpost/shared/clean-line';
import { countOf } from '../output/format-time.js';
import type { Terminal } from '../output/terminal.js';
import type { CommandError, ErrorDetail } from './command-error.js';

const MOST_CHARACTERS = 10_000;

/** Prints an error to standard error: a sentence, each fault with its place, and the next step; or one JSON object. */
export function reportError(terminal: Terminal, error: CommandError, isJson: boolean): void {
  if (isJson) {
    terminal.report(JSON.stringify(errorShape(error), null, 2));
    return;
  }
  const { code, message, details, requestId, nextStep } = error;
  for (const detail of details) terminal.report(cleanText(describeDetail(detail), MOST_CHARACTERS));
  const count = details.length > 1 ? ` (${countOf(details.length, 'fault')})` : '';
  const id = requestId === undefined ? '' : ` (request ${requestId})`;
  terminal.report(
    `${terminal.paintReport('red', 'error:')} ${cleanText(message.replace('named in `details`', 'named above'), MOST_CHARACTERS)}${count}${code === 'internal_error' ? id : ''}`,
  );
  if (nextStep !== undefined) terminal.report(nextStep);
}

export function errorShape({ code, message, details, requestId, nextStep }: CommandError): object {
  return {
    error: code,
    message,
    ...(details.length > 0 && { details }),
    ...(requestId !== undefined && { requestId }),
    ...(nextStep !== undefined && { nextStep }),
  };
}

/** `file:line:column: path message`, which editors and CI make a link of. */
function describeDetail({ path, message, file, line, column }: ErrorDetail): string {
  const place = file === undefined ? '' : [file, line, column].filter((part) => part !== undefined).join(':');
  return [place && `${place}:`, path, message].filter((part) => part !== '').join(' ');
}
