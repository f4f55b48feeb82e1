/**
 * The design tokens of everything that Watchpost draws: the console, the public pages, reports and evidence. Colours are
 * `[light, dark]`. Text colours reach 4.5 : 1 on every surface, fills and edges of controls 3 : 1 (WCAG 2.2 §1.4.3, §1.4.11).
 */
export const COLORS = {
  /** Behind everything. */
  ground: ['#f6f7f9', '#0d1014'],
  /** Cards, fields, the rail. */
  paper: ['#fff', '#15191f'],
  /** Dialogs and menus, above cards. */
  raised: ['#fff', '#1c2128'],
  /** Inset: code, heads of tables, hovered rows. */
  sunken: ['#eef1f4', '#1f252d'],
  ink: ['#141a21', '#e8ecf1'],
  /** Secondary text. */
  soft: ['#55606c', '#a0abb8'],
  /** Hairlines, which carry no meaning. */
  line: ['#e0e5ea', '#2a313a'],
  /** Edges of fields and buttons. */
  edge: ['#7e8994', '#707c8a'],
  shade: ['#10182014', '#00000066'],
  /** Links, primary buttons, what is chosen. */
  accent: ['#4548cf', '#a9adff'],
  'accent-ink': ['#fff', '#12132b'],
  'accent-soft': ['#eeeefc', '#23244a'],
  focus: ['#4548cf', '#a9adff'],
  // Each state has three: of its text and mark, of its bars, and of the ground behind its sentence.
  available: ['#11754a', '#4fd198'],
  'available-fill': ['#45926f', '#438969'],
  'available-soft': ['#e6f5ed', '#10291e'],
  partial: ['#8f5200', '#f3b75d'],
  'partial-fill': ['#c97503', '#e5a03a'],
  'partial-soft': ['#fcf2e0', '#2e2311'],
  unavailable: ['#b8242b', '#ff938d'],
  'unavailable-fill': ['#d93a3f', '#f0605d'],
  'unavailable-soft': ['#fcebeb', '#36181a'],
  unknown: ['#55606c', '#a0abb8'],
  'unknown-fill': ['#808c99', '#7d8998'],
  'unknown-soft': ['#eef1f4', '#1f252d'],
  maintenance: ['#1b5bbd', '#84b6ff'],
  'maintenance-fill': ['#3c7de6', '#5e99f0'],
  'maintenance-soft': ['#e8f0fc', '#13243d'],
  paused: ['#55606c', '#a0abb8'],
  'paused-fill': ['#808c99', '#7d8998'],
  'paused-soft': ['#eef1f4', '#1f252d'],
  // Lines of charts, in the order in which they are given away; dashes or words distinguish them, too.
  'series-1': ['#4548cf', '#a9adff'],
  'series-2': ['#b4521b', '#f5a46b'],
  'series-3': ['#0c7a6c', '#4ccbb8'],
  'series-4': ['#a3266f', '#f28ac4'],
  'series-5': ['#1b6bb0', '#74bdf5'],
  'series-6': ['#6b6a10', '#cfc95a'],
  'series-7': ['#7a35b8', '#cf9df7'],
  'series-8': ['#4c5763', '#b6c0cb'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

/** What is the same in both themes. Sizes are in rem: they follow the reader's own. */
const MEASURES = {
  'space-1': '.25rem',
  'space-2': '.5rem',
  'space-3': '.75rem',
  'space-4': '1rem',
  'space-5': '1.5rem',
  'space-6': '2rem',
  'space-7': '3rem',
  'space-8': '4rem',
  // 13, 14, 16, 20 and 28 px for readers who changed nothing. No text has another size, and none is smaller than 12 px.
  'text-xs': '.8125rem',
  'text-s': '.875rem',
  'text-m': '1rem',
  'text-l': '1.25rem',
  'text-xl': '1.75rem',
  leading: '1.5',
  'leading-tight': '1.25',
  'radius-s': '.375rem',
  'radius-m': '.625rem',
  'radius-l': '.875rem',
  'radius-full': '999px',
  sans: 'system-ui,sans-serif',
  mono: 'ui-monospace,Menlo,Consolas,monospace',
  shadow: '0 1px 2px var(--shade)',
  'shadow-raised': '0 8px 24px var(--shade),0 1px 3px var(--shade)',
  ring: '2px solid var(--focus)',
} as const;

type Token = keyof typeof COLORS | keyof typeof MEASURES;
const TOKENS = [...Object.keys(COLORS), ...Object.keys(MEASURES)] as Token[];

export const TOKENS_CSS = tokensCss(TOKENS);

/**
 * The tokens as custom properties of `:root`, in the theme of the system or of `<html data-theme="light|dark">`, and light on
 * paper. A browser without `light-dark()` (before 2024) shows the light theme.
 */
export function tokensCss(names: readonly Token[]): string {
  const colors = names.flatMap((name) => (isColor(name) ? [[name, ...COLORS[name]] as const] : []));
  const measures = names.flatMap((name) => (isColor(name) ? [] : [`--${name}:${MEASURES[name]}`]));
  const plain = colors.map(([name, light]) => `--${name}:${light}`);
  const themed = colors.map(([name, light, dark]) => `--${name}:light-dark(${light},${dark})`);
  return `:root{color-scheme:light dark;${[...measures, ...plain].join(';')}}
@supports (color:light-dark(#000,#fff)){:root{${themed.join(';')}}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
@media print{:root,:root[data-theme]{color-scheme:light}}
`;
}

/** Rules for a document of its own: in front of them the colours that they use, and no others; of measures, their values. */
export function withTokens(rules: string): string {
  const used = new Set<Token>();
  const measured = replaceMeasures(replaceMeasures(rules));
  for (const [, name] of measured.matchAll(/var\(--([\w-]+)\)/g)) {
    const token = TOKENS.find((known) => known === name);
    if (!token) throw new Error(`There is no design token ${name}.`);
    used.add(token);
  }
  return `${tokensCss(TOKENS.filter((token) => used.has(token)))}${measured}`;
}

/** Once; a measure may name another token. */
function replaceMeasures(text: string): string {
  return text.replace(/var\(--([\w-]+)\)/g, (use, name: string) =>
    Object.hasOwn(MEASURES, name) ? MEASURES[name as keyof typeof MEASURES] : use,
  );
}

function isColor(name: Token): name is keyof typeof COLORS {
  return Object.hasOwn(COLORS, name);
}
