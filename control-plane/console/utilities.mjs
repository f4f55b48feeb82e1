// The classes of one thing each, for elements that need no rule of their own: layout, spaces, sizes and tokens. A name is enough;
// no style sheet has to be written. They come after all other rules, and only those that the sources name are served.

/** Numbers are those of `--space`; two are for above and below, and for the sides: `pad-2-4`. */
const SPACES = {
  gap: 'gap',
  pad: 'padding',
  above: 'margin-top',
  below: 'margin-bottom',
  before: 'margin-left',
  inset: 'padding-left',
};

/** Numbers are rem: `max-40`, `tall-2.75`. */
const SIZES = {
  /** At most so wide. */
  max: (rem) => `max-width:${rem}`,
  /** At least so high. */
  tall: (rem) => `min-height:${rem}`,
  width: (rem) => `width:${rem}`,
  height: (rem) => `height:${rem}`,
  /** So wide at least, and as wide as there is room. */
  fill: (rem) => `flex:1 1 ${rem}`,
  /** Columns beside each other where each has so much room; with `fit`, they take all of the row. */
  columns: (rem) => `grid-template-columns:repeat(auto-fill,minmax(min(100%,${rem}),1fr))`,
  fit: (rem) => `grid-template-columns:repeat(auto-fit,minmax(min(100%,${rem}),1fr))`,
};

/** What each state gives a part of a screen, by the tokens of its name: `note-partial`. */
const BY_STATE = {
  state: (name) => `color:var(--${name})`,
  edge: (name) => `box-shadow:inset 3px 0 var(--${name}-fill)`,
  note: (name) => `background:var(--${name}-soft);${BY_STATE.edge(name)}`,
  strip: (name) => `background:var(--${name}-soft);${BY_STATE.edge(name)},var(--shadow-raised)`,
  chip: (name) => `background:var(--${name}-soft);color:var(--${name})`,
};

/** Later ones override earlier ones. */
const WORDS = {
  soft: 'color:var(--soft)',
  small: 'font-size:var(--text-xs)',
  mono: 'font-family:var(--mono)',
  flex: 'display:flex',
  wrap: 'display:flex;flex-wrap:wrap',
  'inline-wrap': 'display:inline-flex;flex-wrap:wrap',
  lines: 'display:grid',
  block: 'display:block',
  contents: 'display:contents',
  center: 'align-items:center',
  top: 'align-items:start',
  baseline: 'align-items:baseline',
  end: 'align-items:end',
  between: 'justify-content:space-between',
  'to-right': 'justify-content:flex-end',
  'to-start': 'justify-items:start',
  'to-center': 'justify-items:center',
  'to-end': 'justify-items:end',
  middle: 'place-items:center',
  packed: 'align-content:start',
  'one-column': 'grid-template-columns:minmax(0,1fr)',
  'with-end': 'grid-template-columns:minmax(0,1fr) auto',
  across: 'grid-column:1/-1',
  grow: 'flex:1;min-width:0',
  rigid: 'flex:none',
  push: 'margin-left:auto',
  indent: 'padding-left:1.2em',
  auto: 'width:auto',
  whole: 'width:100%',
  flush: 'margin:0',
  bare: 'background:none;border:0;cursor:pointer;padding:0;text-align:left',
  sunken: 'background:var(--sunken);border-radius:var(--radius-s)',
  clip: 'overflow:hidden',
  'line-below': 'border-bottom:1px solid var(--line)',
  cut: 'overflow:hidden;text-overflow:ellipsis;white-space:nowrap',
  nowrap: 'white-space:nowrap',
  pre: 'white-space:pre-wrap',
  'pre-line': 'white-space:pre-line',
  pretty: 'text-wrap:pretty',
  centered: 'text-align:center',
  dense: 'line-height:var(--leading-tight)',
  underline: 'text-decoration:underline;text-underline-offset:0.2em',
  normal: 'font-weight:400',
  strong: 'font-weight:600',
  tabular: 'font-variant-numeric:tabular-nums',
};

/**
 * @param sources the texts of all sources that name classes
 * @param states the names of all states, of which classes are put together
 * @returns the rules of the classes that the sources name, and of the states
 */
export function utilitiesCss(sources, states) {
  const words = [...new Set(sources.flatMap((text) => text.match(/[a-z][\w.-]*/g) ?? []))].toSorted();
  const ofStates = Object.entries(BY_STATE).flatMap(([part, rule]) =>
    states.map((name) => [`${part}-${name}`, rule(name)]),
  );
  const rules = [
    ...Object.entries(WORDS).filter(([name]) => words.includes(name)),
    ...words.map((name) => [name, measured(name)]).filter(([, rule]) => rule !== undefined),
    ...ofStates,
  ];
  return rules.map(([name, rule]) => `.${name.replaceAll('.', '\\.')}{${rule}}`).join('\n');
}

/** @returns the rule of a name with a measure; undefined if it has none */
function measured(name) {
  const [, part, measure] = /^([a-z]+)-([\w.-]+)$/.exec(name) ?? [];
  if (part === 'text' && /^(xs|s|m|l|xl)$/.test(measure)) return `font-size:var(--${name})`;
  if (Object.hasOwn(SPACES, part) && /^[0-8](-[0-8])?$/.test(measure)) return `${SPACES[part]}:${spaces(measure)}`;
  if (Object.hasOwn(SIZES, part) && /^\d+(\.\d+)?$/.test(measure)) return SIZES[part](`${measure}rem`);
  return undefined;
}

function spaces(measure) {
  const each = (number) => (number === '0' ? number : `var(--space-${number})`);
  return measure.split('-').map(each).join(' ');
}
