/** An output of pino, which emits `error` for a failed line and `write` for a written one. */
interface Output {
  on(event: 'error' | 'write', listener: () => void): unknown;
  flushSync(): void;
}

/**
 * Makes an output lossy: if its disk is full, lines do not block the program, not even at its end. Failed lines are retried
 * with the next one, as far as the output keeps them.
 */
export function mayBeLost<Own extends Output>(output: Own): Own {
  let isFailing = false;
  output.on('error', () => (isFailing = true));
  output.on('write', () => (isFailing = false));
  const flushSync = output.flushSync.bind(output);
  // At the end the output would retry forever.
  output.flushSync = () => {
    if (!isFailing) flushSync();
  };
  return output;
}
