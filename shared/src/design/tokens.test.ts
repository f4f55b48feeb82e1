import { expect } from 'chai';
import { STATE_LOOKS, STATES } from './states.js';
import { COLORS, TOKENS_CSS, withTokens } from './tokens.js';

type Color = keyof typeof COLORS;
const SURFACES = ['ground', 'paper', 'raised', 'sunken'] as const;
const SERIES = ([1, 2, 3, 4, 5, 6, 7, 8] as const).map((line) => `series-${line}` as const);
const THEMES = ['light', 'dark'] as const;

describe('The design tokens', () => {
  THEMES.forEach((theme, index) => {
    const contrast = (a: Color, b: Color) => {
      const [low, high] = [a, b].map((name) => luminance(COLORS[name][index]!)).toSorted((x, y) => x - y);
      return (high! + 0.05) / (low! + 0.05);
    };
    const reaches = (least: number, a: Color, b: Color) =>
      expect(contrast(a, b), `${a} on ${b}, ${theme}`).to.be.at.least(least);

    it(`make all text readable on every surface in the ${theme} theme (WCAG 2.2 AA)`, () => {
      for (const surface of SURFACES) {
        for (const text of ['ink', 'soft', 'accent', ...STATES] as const) reaches(4.5, text, surface);
        reaches(3, 'edge', surface === 'sunken' ? 'paper' : surface);
        reaches(3, 'focus', surface);
      }
      reaches(4.5, 'accent-ink', 'accent');
      for (const text of ['ink', 'accent'] as const) reaches(4.5, text, 'accent-soft');
    });

    it(`make every state readable on its own ground, and bars and lines visible, in the ${theme} theme`, () => {
      for (const line of SERIES) reaches(3, line, 'paper');
      for (const state of STATES) {
        reaches(4.5, state, `${state}-soft`);
        reaches(4.5, 'ink', `${state}-soft`);
        reaches(4.5, 'soft', `${state}-soft`);
        for (const surface of ['ground', 'paper'] as const) reaches(3, `${state}-fill`, surface);
      }
    });
  });

  it('give every state a word and a shape of its own', () => {
    const looks = STATES.map((state) => STATE_LOOKS[state]);
    expect(new Set(looks.map(({ word }) => word)).size).to.equal(STATES.length);
    expect(new Set(looks.map(({ mark }) => JSON.stringify(mark))).size).to.equal(STATES.length);
  });

  it('follow the theme of the system or of the page, are light on paper, and light in a browser without light-dark()', () => {
    const [plain, supported] = TOKENS_CSS.split('@supports');
    expect(plain).to.include(`--ink:${COLORS.ink[0]}`).and.to.include('color-scheme:light dark');
    expect(supported).to.include(`--ink:light-dark(${COLORS.ink.join(',')})`);
    expect(TOKENS_CSS).to.include('@media print{:root,:root[data-theme]{color-scheme:light}}');
  });

  it('come with the rules of a document: the colours that it uses, and no others', () => {
    const style = withTokens('p{box-shadow:var(--shadow);margin:var(--space-4);color:var(--ink)}');
    expect(style).to.include('p{box-shadow:0 1px 2px var(--shade);margin:1rem;color:var(--ink)}');
    for (const name of ['shade', 'ink']) expect(style).to.include(`--${name}:`);
    expect(style).not.to.include('--paper:').and.not.include('--space-4');
    expect(() => withTokens('p{color:var(--inc)}')).to.throw('There is no design token inc.');
  });
});

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const digits = color.length === 4 ? color.replace(/[^#]/g, '$&$&') : color;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
