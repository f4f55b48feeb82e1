import { changesDestination } from '../../../platform/http/secret-fields.js';
import type { SecretPlace } from './secret-places.js';
import { namesUsedBy, type StepTexts } from './step-texts.js';

interface Request extends StepTexts {
  extract?: Readonly<Record<string, unknown>> | undefined;
}

/** The settings, secrets included, that decide where secrets go. */
export interface SendingSettings {
  url?: string | null | undefined;
  http?: {
    connectTo?: string | null | undefined;
    extract?: Request['extract'];
    steps?: readonly Request[] | undefined;
  };
}

/** URLs to which a secret goes, in lists whose entries are places apart: a site must not get what only its token endpoint got. */
type Destinations = readonly (readonly string[])[];

/**
 * Finds where the secrets of a place go. A site may repeat a secret of a request in its answer, or set a cookie with it and repeat that in a
 * later one, so it also goes where values are sent that are extracted from an answer of that site from then on.
 */
export function destinationsOf({
  url,
  http,
}: SendingSettings): (place: SecretPlace, fields: Readonly<Record<string, unknown>>) => Destinations {
  const steps = http?.steps ?? [];
  const used = steps.map(namesUsedBy);
  const reach: string[][] = [];
  const reachOf = (names: readonly string[], after: number) =>
    steps.flatMap((_, at) => (at > after && names.some((name) => used[at]!.has(name)) ? reach[at]! : []));
  const reachFrom = (request: Request, at: number) => {
    const to = request.url ?? '';
    const answers = steps.flatMap((step, after) =>
      after > at && !changesDestination(to, step.url ?? '') ? reachOf(Object.keys(step.extract ?? {}), after) : [],
    );
    return [...new Set([to, ...reachOf(Object.keys(request.extract ?? {}), at), ...answers])];
  };
  for (let at = steps.length - 1; at >= 0; at--) reach[at] = reachFrom(steps[at]!, at);
  const own = reachFrom({ url, extract: http?.extract }, -1);
  const connected = http?.connectTo ? [`tcp://${http.connectTo}`] : [''];
  return ({ path: [field, name, entry = ''], sentTo = () => '' }, fields) => {
    if (name === 'variables') return [reachOf([entry], -1)];
    const places = name === 'steps' ? [reach[Number(entry)]!] : field === 'http' ? [own, connected] : [own];
    return [...places, [sentTo(fields)]];
  };
}

export function goesElsewhere(before: Destinations, after: Destinations): boolean {
  return after.some((list, at) =>
    list.some((to) => !(before[at] ?? []).some((known) => !changesDestination(known, to))),
  );
}
