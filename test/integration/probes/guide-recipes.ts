import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { ProbeReport } from '@watchpost/shared/outcome';
import type { Probes } from '@watchpost/agent/probes/index';
import { checkTarget } from '@watchpost/control-plane/capabilities/monitors/checks/check-target';
import { TYPE_SETTINGS } from '@watchpost/control-plane/capabilities/monitors/settings/type-settings-schemas';

const GUIDE = fileURLToPath(new URL('../../../../docs/guides/check-what-an-answer-contains.md', import.meta.url));

export interface RecipeMonitor {
  url: string;
  http: { assertions: object[] };
}

/**
 * The monitors of the guide to answers, by their key.
 * @param env the values of the variables that they name
 */
export async function readRecipes(env: Readonly<Record<string, string>>): Promise<Record<string, RecipeMonitor>> {
  const blocks = [...(await readFile(GUIDE, 'utf8')).matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml!);
  const resolve = (_key: unknown, value: unknown) => {
    const { env: name } = Object(value) as { env?: string };
    return name === undefined ? value : env[name];
  };
  return Object.assign({}, ...blocks.map((yaml) => (parse(yaml, resolve) as { monitors: object }).monitors));
}

/** @param places where the test has what the guide has elsewhere, by the beginning of its URL */
export function runRecipe(
  probes: Probes,
  monitor: RecipeMonitor,
  places: Readonly<Record<string, string>>,
): Promise<ProbeReport> {
  let text = JSON.stringify(monitor);
  for (const [from, to] of Object.entries(places)) text = text.replaceAll(from, to);
  // A busy machine answers slowly, and no recipe is tried on a slow answer.
  const patient = (_key: string, value: unknown) =>
    Object(value).source === 'responseTime' ? { ...(value as object), target: 60_000 } : value;
  const { url, http } = JSON.parse(text, patient) as RecipeMonitor;
  const target = checkTarget('http', url, { http: TYPE_SETTINGS.http.input.parse(http) } as never, () => ({}))!;
  const spec = {
    key: { monitorKey: 1, kind: 'http' as const },
    intervalMs: 60_000,
    phaseMs: 0,
    changedAtMs: 0,
    timeoutMs: 30_000,
  };
  return probes.run({ ...spec, target }, new AbortController().signal);
}
