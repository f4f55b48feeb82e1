import { signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'theme';

export const theme = signal<Theme>(readTheme());

/** Shows the chosen theme; `system` follows the browser. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.peek() === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.peek();
}

export function chooseTheme(next: Theme): void {
  theme.value = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage the choice lives as long as the page.
  }
  applyTheme();
}

function readTheme(): Theme {
  try {
    return THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}
