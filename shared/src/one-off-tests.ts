/** Decides whether requests change nothing where they are sent, so that nobody minds when they are sent again. */
export function onlyReads(requests: readonly { readonly method: string }[]): boolean {
  return requests.every(({ method }) => method === 'GET' || method === 'HEAD');
}

/** How long clients wait for a one-off test: longer than its timeout, steps that always run, and the way to the agent and back. */
export const TEST_DEADLINE_MS = 90_000;
