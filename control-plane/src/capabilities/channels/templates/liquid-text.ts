import { Script, createContext } from 'node:vm';
import { Liquid, type LiquidError, type Template } from 'liquidjs';

/** What parsing and rendering one template may cost of the event loop, ms of processor time. */
const MOST_CPU_MS = 30;
/** The most characters that the steps of a template make, so that it fails long before memory is scarce. */
const MOST_MEMORY = 100_000;
/** These read other templates, of which there are none. */
const WITHOUT = ['include', 'render', 'layout', 'block'];

const liquid = new Liquid({
  strictFilters: true,
  // A variable that only some events have is empty for others.
  strictVariables: false,
  ownPropertyOnly: true,
  parseLimit: 8_192,
  memoryLimit: MOST_MEMORY,
  templates: {},
});
for (const name of WITHOUT) delete liquid.tags[name];

const context = createContext({ work: undefined });
const script = new Script('work()');

/** Work that used up its time. */
class TooCostly extends Error {}

/**
 * Runs work without side effects, and ends it where it takes too long: the engine interrupts it wherever it is. Only processor
 * time counts; work that was interrupted because other processes had the processor begins again.
 */
function within<Result>(mostMs: number, work: () => Result): Result {
  const begin = process.cpuUsage();
  for (;;) {
    context['work'] = work;
    try {
      return script.runInContext(context, { timeout: mostMs }) as Result;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = process.cpuUsage(begin);
      if ((user + system) / 1_000 >= mostMs / 2) throw new TooCostly('it takes too long');
    } finally {
      context['work'] = undefined;
    }
  }
}

const parse = (text: string): Template[] => liquid.parse(text);

/** Why a text is no template, with line and column, to follow the name of its field; null where it is one. */
export function templateFault(text: string): string | null {
  try {
    within(MOST_CPU_MS, () => parse(text));
    return null;
  } catch (error) {
    const { message, token } = error as LiquidError;
    const place = token?.getPosition();
    const where = place ? ` at line ${place[0]}, column ${place[1]}` : '';
    return `is no Liquid text${where}: ${reasonOf(message)}`;
  }
}

/** Renders a template. @returns the text, or why it failed */
export function renderTemplate(template: string, variables: object): { text: string } | { failure: string } {
  try {
    return { text: within(MOST_CPU_MS, () => liquid.renderSync(parse(template), variables) as string) };
  } catch (error) {
    return { failure: reasonOf((error as Error).message) };
  }
}

/** A message of the library without the place, which it repeats. */
function reasonOf(message: string): string {
  return message.replace(/, (?:file:.*?, )?line:\d+, col:\d+$/s, '').slice(0, 200);
}
