/** An output of pino: it emits `error` where a line could not be written, and `write` where one was. */
interface Output {
  on(event: 'error' | 'write', listener: () => void): unknown;
  flushSync(): void;
}

/**
 * Makes of an output one whose lines may be lost: where its disk is full, neither a line nor what is left at the end
 * holds the program up. Lines are tried again with the next one, as far as the output keeps them.
 */
export function mayBeLost<Own extends Output>(output: Own): Own {
  let isFailing = false;
  output.on('error', () => (isFailing = true));
  output.on('write', () => (isFailing = false));
  const flushSync = output.flushSync.bind(output);
  // At the end it would try for ever.
  output.flushSync = () => {
    if (!isFailing) flushSync();
  };
  return output;
}
