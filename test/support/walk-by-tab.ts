import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** More than any screen has stops. */
const MOST_PRESSES = 600;

interface Stop {
  /** The same for the same element; 0 where nothing has focus. */
  id: number;
  words: string;
  /** How many presses in a row may stay within it. */
  patience: number;
  /** The only stop of its dialog. */
  isAlone: boolean;
}

const TABBABLE = `(place) => [...place.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  .filter((own) => own.tabIndex >= 0 && !own.disabled && own.closest('[inert]') === null && own.checkVisibility({ visibilityProperty: true }))`;

/** Describes what has focus. A frame is a document of its own. */
const STOP = `(() => {
  const ids = (globalThis.stopIds ??= new WeakMap());
  const { activeElement: own, body } = document;
  if (own === null || own === body) return { id: 0, words: '', patience: 0, isAlone: false };
  if (!ids.has(own)) ids.set(own, (globalThis.stopCount = (globalThis.stopCount ?? 0) + 1));
  const patience = own.matches('iframe') ? ${MOST_PRESSES} : 1;
  const dialog = own.closest('dialog');
  const isAlone = dialog !== null && (${TABBABLE})(dialog).length === 1;
  return { id: ids.get(own), words: own.outerHTML.slice(0, 160), patience, isAlone };
})()`;

/** What a person sees and the keyboard should reach: in the dialog where one is open, else on the page. */
const MISSED = `(() => {
  const place = document.querySelector('dialog[open]') ?? document;
  const reached = (own) => globalThis.stopIds?.has(own);
  // One of several radio buttons is the stop of all.
  const ofGroup = (own) => own.type === 'radio' && [...place.querySelectorAll('input[type=radio]')].some((other) => other.name === own.name && reached(other));
  return (${TABBABLE})(place)
    .filter((own) => !reached(own) && !ofGroup(own))
    .map((own) => own.outerHTML.slice(0, 160));
})()`;

/** True where the first stop of the open dialog, else of the page, has focus. */
const IS_AT_START = `(${TABBABLE})(document.querySelector('dialog[open]') ?? document)[0] === document.activeElement`;

/**
 * Walks over all that has focus by the key Tab, forward and back, as somebody without a mouse does. Each press moves on, the
 * end is reached, and nothing that is seen is left out.
 * @returns the number of presses
 */
export async function walkByTab(page: Page, where: string): Promise<number> {
  // Where a field takes focus, at any time until the end of a first walk, the walk begins once more at the first stop.
  await walk(page, 'Tab', where, await step(page, 'Tab'));
  let [forward, missed] = [0, ['']];
  // What appears during a walk, such as the strip of troubles, is reached by the next one.
  for (let walks = 0; walks < 2 && missed.length > 0; walks++) {
    for (let presses = 0; presses < MOST_PRESSES; presses++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(IS_AT_START)) break;
    }
    await page.evaluate(`globalThis.stopIds = undefined`);
    const begin = await page.evaluate<Stop>(STOP);
    forward = await walk(page, 'Tab', where, begin);
    missed = await page.evaluate<string[]>(MISSED);
  }
  expect(missed, `${where}: not reached by Tab`).to.deep.equal([]);
  return forward + (await walk(page, 'Shift+Tab', where, await step(page, 'Shift+Tab')));
}

async function walk(page: Page, key: string, where: string, begin: Stop): Promise<number> {
  // A dialog has no end: behind its last stop, and the browser's own, it begins again.
  const isRing = await page.evaluate<boolean>(`document.querySelector('dialog[open]') !== null`);
  let first = begin;
  if (isRing && first.id === 0) first = await step(page, key);
  if (first.id === 0) return 1;
  let last = first;
  let stays = 1;
  for (let presses = 1; presses < MOST_PRESSES; presses++) {
    const next = await step(page, key);
    if (next.isAlone) return presses;
    if (next.id === last.id) {
      stays++;
      expect(stays, `${where}: ${key} does not leave ${next.words}`).to.be.at.most(next.patience);
      continue;
    }
    if (next.id === first.id || (next.id === 0 && !isRing)) return presses;
    [last, stays] = [next, 1];
  }
  throw new Error(`${where}: ${key} comes to no end; it is at ${last.words}`);
}

async function step(page: Page, key: string): Promise<Stop> {
  await page.keyboard.press(key);
  return page.evaluate<Stop>(STOP);
}
