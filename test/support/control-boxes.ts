import type { Page } from 'playwright-core';

/** From a small phone to a wide screen, px. */
const WIDTHS = [320, 390, 768, 1_440] as const;

/** The controls of the dialog that is open, else of the screen, that lie over one another or are cut. */
const FAULTS = `(() => {
  const place = document.querySelector('dialog[open]') ?? document.querySelector('main');
  const seen = (own) => {
    const { width, height } = own.getBoundingClientRect();
    return width > 4 && height > 4 && own.checkVisibility({ visibilityProperty: true }) && own.closest('.unseen, [popover]') === null;
  };
  const isClipped = (own) => { for (let at = own; at !== null; at = at.parentElement) if (getComputedStyle(at).clipPath === 'inset(50%)') return true; return false; };
  const all = [...place.querySelectorAll('input, select, textarea, button, a.btn, summary')].filter(seen);
  // What is seen only while it has focus.
  const unseen = all.filter(isClipped);
  const controls = all.filter((own) => !unseen.includes(own));
  const boxes = controls.map((own) => own.getBoundingClientRect());
  const words = (own) => (own.labels?.[0]?.innerText || own.ariaLabel || own.innerText || own.placeholder || own.outerHTML.slice(0, 80)).trim().split('\\n')[0];
  // What floats above the screen covers it on purpose, and calendars and tables scroll sideways by themselves.
  const floats = (own) => { for (let at = own; at !== null && at !== place; at = at.parentElement) if (/fixed|sticky/.test(getComputedStyle(at).position)) return true; return false; };
  const faults = [];
  controls.forEach((own, index) => {
    const box = boxes[index];
    for (let other = index + 1; other < controls.length; other++) {
      const next = boxes[other];
      const [across, down] = [Math.min(box.right, next.right) - Math.max(box.left, next.left), Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top)];
      if (across > 1 && down > 1 && !own.contains(controls[other]) && floats(own) === floats(controls[other]))
        faults.push(words(own) + ' overlaps ' + words(controls[other]));
    }
    for (let at = own.parentElement; at !== null; at = at.parentElement) {
      const { overflowX } = getComputedStyle(at);
      const frame = at.getBoundingClientRect();
      const isOut = box.left < frame.left - 1 || box.right > frame.right + 1;
      if (/auto|scroll/.test(overflowX) && at !== place && at.matches('*')) break;
      if (isOut && overflowX !== 'visible') faults.push(words(own) + ' is cut');
      if (at === place) break;
    }
    if (own.scrollWidth > own.clientWidth + 1 && own.clientWidth > 0 && own.matches('button, a, .date-input > input'))
      faults.push('the content of ' + words(own) + ' is cut');
  });
  for (const own of unseen) {
    own.focus();
    if (isClipped(own)) faults.push(words(own) + ' is not seen while it has focus');
    own.blur();
  }
  return [...new Set(faults)];
})()`;

/** @returns what is wrong with the controls that are shown, by the width of the window */
export async function findBoxFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    faults.push(...(await page.evaluate<string[]>(FAULTS)).map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}
