/** Compressed script (brotli: what browsers get over https, without which the console keeps no session), bytes. */
const BUDGETS = { firstScreen: 60_000, screen: 90_000, all: 180_000 };
const WORDS = { firstScreen: 'The first screen', screen: 'The largest screen', all: 'The whole console' };

/** Builds the console and weighs it. @returns a fault for each budget that it exceeds */
export async function checkConsoleSize() {
  // Imported late, because it needs esbuild, which verify itself installs.
  const { buildConsole } = await import('../../control-plane/console/build.mjs');
  const { sizes } = await buildConsole();
  return Object.entries(BUDGETS)
    .filter(([name, budget]) => sizes[name] > budget)
    .map(([name, budget]) => `${WORDS[name]} has ${sizes[name]} bytes of compressed script; the budget is ${budget}.`);
}
