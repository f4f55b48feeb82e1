/** The phases of a request in their order: name, word, and the number of the colour of its series. */
export const PHASES = [
  ['auth', 'Access token', 6],
  ['dns', 'DNS', 1],
  ['connect', 'Connect', 2],
  ['tls', 'TLS', 3],
  ['firstByte', 'First byte', 5],
  ['transfer', 'Transfer', 4],
] as const;
export type PhaseName = (typeof PHASES)[number][0];

/** A pattern lies on the colour of each, so that they differ on paper without colours too. */
const TILES: Readonly<Record<PhaseName, string>> = {
  auth: 'M2 1v2M6 5v2',
  dns: 'M4 2.5v3',
  connect: 'M-2 10 10-2M-2 2 2-2M6 10l4-4',
  tls: 'M0 4h8M4 0v8',
  firstByte: '',
  transfer: 'M0 2h8M0 6h8',
};

/** The patterns of phases as SVG, `url(#phase-dns)`: once in a document that has bars of them. */
export const PHASE_PATTERNS = PHASES.map(
  ([name]) =>
    `<pattern id="phase-${name}" class="phase-${name}" width="8" height="8" patternUnits="userSpaceOnUse"><rect stroke="none" width="8" height="8"/><path stroke-width="1.4" d="${TILES[name]}"/></pattern>`,
).join('');

export const PHASE_RULES = `${PHASES.map(([name, , color]) => `.phase-${name}{fill:var(--series-${color});stroke:var(--paper)}`).join('')}
`;

/** ms; a phase that did not happen is 0, null or missing. */
export type Phases = { readonly [Name in PhaseName]?: number | null | undefined };

export interface PhasePart {
  name: PhaseName;
  word: string;
  ms: number;
  /** Its place in the bar, percent. */
  x: number;
  width: number;
}

/**
 * The parts of a bar of phases: how long each took, beside those before it. A phase that did not happen is left out.
 * @param place of the request in a run of several, ms; without it, the bar is as wide as there is room
 */
export function phaseParts(phases: Phases, place?: { fromMs: number; ofMs: number }): PhasePart[] {
  const taken = PHASES.map(([name, word]) => ({ name, word, ms: phases[name] ?? 0 }));
  const total = place?.ofMs ?? taken.reduce((sum, { ms }) => sum + ms, 0);
  let passedMs = place?.fromMs ?? 0;
  return taken.flatMap((part) => {
    if (part.ms <= 0) return [];
    const x = (passedMs / total) * 100;
    passedMs += part.ms;
    return [{ ...part, x, width: (part.ms / total) * 100 }];
  });
}
