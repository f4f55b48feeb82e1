import { parseDuration } from '@watchpost/shared/duration';
import type { FaultDetail } from '@watchpost/shared/fault';
import { BUILT_INS, placeholdersOf } from '@watchpost/shared/steps/placeholders';
import { type StepTexts, textsOf } from './step-texts.js';

type Names = Readonly<Record<string, unknown>> | undefined;

interface Step extends StepTexts {
  name?: string | null | undefined;
  delay?: string | null | undefined;
  extract?: Names;
}

/** The contradictions between steps, and what they use that nothing provides. Names are unknown where a body leaves some of them out. */
export function decideStepFaults(
  { variables, extract, steps = [] }: { variables?: Names; extract?: Names; steps?: readonly Step[] | undefined },
  checkTimeoutMs: number | undefined,
): FaultDetail[] {
  const faults: FaultDetail[] = [];
  const fault = (path: string, message: string) => faults.push({ path: `http.${path}`, message });
  for (const name of Object.keys(variables ?? {}))
    if (BUILT_INS.has(name)) fault(`variables.${name}`, 'has a built-in name, which has a value of its own');
  const known = variables && extract && new Set([...BUILT_INS, ...Object.keys(variables)]);
  const provide = (names: Names, at: string) => {
    for (const name of Object.keys(names ?? {})) {
      const isTaken = BUILT_INS.has(name) || Object.hasOwn(variables ?? {}, name);
      if (isTaken) fault(`${at}.${name}`, 'has the name of a variable, or a built-in one');
      known?.add(name);
    }
  };
  provide(extract, 'extract');
  const taken = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const at = `steps.${index}`;
    const name = step.name?.trim().toLowerCase();
    if (name !== undefined && taken.has(name))
      fault(`${at}.name`, 'is the name of an earlier step: results name steps');
    if (name !== undefined) taken.add(name);
    for (const { path, text } of textsOf(step))
      for (const { name: used, at: place } of placeholdersOf(text))
        if (known && !known.has(used))
          fault(
            `${at}.${path}`,
            `uses {{${used}}} at column ${place + 1}, which is no variable, and which no earlier request extracts`,
          );
    provide(step.extract, `${at}.extract`);
  }
  const delaysMs = steps.reduce((sum, { delay }) => sum + (parseDuration(delay ?? '') ?? 0), 0);
  if (checkTimeoutMs !== undefined && delaysMs > 0 && delaysMs >= checkTimeoutMs)
    fault('steps', 'have delays that together are not shorter than `checkTimeout`, within which all of them run');
  return faults;
}
