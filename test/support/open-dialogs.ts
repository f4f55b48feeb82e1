import type { Page } from 'playwright-core';

interface Opener {
  words: string;
  /** Within a menu, of which this is the button. */
  menu: number | null;
  index: number;
}

/** Buttons of the screen that do something of their own, once for each word, and of menus their items. */
const OPENERS = `(() => {
  const seen = new Set();
  const own = [...document.querySelectorAll('main button')];
  return own.flatMap((button, index) => {
    const words = (button.ariaLabel || button.innerText).trim().replace(/\\d+/g, 'n');
    if (!button.checkVisibility({ visibilityProperty: true }) || button.ariaDisabled === 'true' || button.closest('[popover]') || seen.has(words)) return [];
    seen.add(words);
    if (button.getAttribute('aria-haspopup') !== 'menu') return [{ words, menu: null, index }];
    const items = [...document.getElementById(button.getAttribute('aria-controls')).querySelectorAll('button')];
    return items.map((item, at) => ({ words: words + ' > ' + item.innerText.trim(), menu: index, index: at }));
  });
})()`;

const COUNT = `document.querySelectorAll('main :is(input, select, textarea, button)').length`;

/**
 * Presses every button of the screen that is shown, and calls `look` where a dialog has opened or a form has unfolded. The caller sees to it that no
 * press changes anything.
 * @param reopen shows the screen as it was
 */
export async function openDialogs(
  page: Page,
  reopen: () => Promise<void>,
  look: (title: string, isDialog: boolean) => Promise<void>,
): Promise<void> {
  const openers = await page.evaluate<Opener[]>(OPENERS);
  for (const { words, menu, index } of openers) {
    const url = page.url();
    const count = await page.evaluate<number>(COUNT);
    await page.evaluate(
      menu === null
        ? `document.querySelectorAll('main button')[${index}]?.click()`
        : `document.getElementById(document.querySelectorAll('main button')[${menu}]?.getAttribute('aria-controls'))?.querySelectorAll('button')[${index}]?.click()`,
    );
    await page.waitForTimeout(60);
    const dialog = page.locator('dialog[open]');
    const isDialog = (await dialog.count()) > 0;
    if (isDialog) {
      await dialog.locator('.skeleton').first().waitFor({ state: 'detached' });
      await look(`${words}: ${await dialog.getByRole('heading').first().innerText()}`, true);
    } else if ((await page.evaluate<number>(COUNT)) > count + 1) await look(words, false);
    if (isDialog || page.url() !== url || (await page.evaluate(COUNT)) !== count) await reopen();
  }
}
