import { InvalidArgumentError } from 'commander';
import type { CommandContext } from './command-context.js';

export const DEFAULT_LIMIT = 1_000;
const MOST = 100_000;

/** Reads the value of `--limit`. @throws InvalidArgumentError */
export function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MOST) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
}

export function warnOfMore({ terminal }: CommandContext, shown: number, total: number): void {
  if (total > shown)
    terminal.report(`These are ${shown} of ${total}; \`--limit ${Math.min(total, MOST)}\` prints more.`);
}

export function collectValues(value: string, former: readonly string[] = []): string[] {
  return [...former, value];
}
