/** How long a test waits for what a busy machine may delay. What has to be quick is compared with something else. */
export const PATIENCE_MS = 60_000;

/**
 * Calls `probe` until it returns something other than undefined, for at most `timeoutMs`. An error of `probe` counts as
 * "not yet". The error at the deadline contains the last one.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  timeoutMs = PATIENCE_MS,
  everyMs = 100,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() >= deadline) {
      throw new Error(`${what}: not within ${timeoutMs} ms${last instanceof Error ? ` (${last.message})` : ''}`);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
