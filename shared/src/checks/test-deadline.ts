/** How long clients wait for a one-off test: longer than its timeout, steps that always run, and the way to the agent and back. */
export const TEST_DEADLINE_MS = 90_000;
