/**
 * Gives focus back where a change of the screen took it: a row that moved, a button that is gone, a dialog that closed.
 * A dialog keeps its own focus, so what is remembered is outside of it.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined;
  let row: string | undefined;
  const remember = ({ target }: Event) => {
    if (isInDialog(target)) return;
    last = target instanceof HTMLElement ? target : undefined;
    row = last?.closest<HTMLElement>('main [data-row]')?.dataset['row'];
  };
  // Who clicks beside everything wants no focus.
  const forget = ({ target }: Event) => {
    if (!isInDialog(target)) last = undefined;
  };
  const observer = new MutationObserver(() => {
    if (last === undefined || document.activeElement !== document.body) return;
    const places = [last, row === undefined ? null : linkOf(row), document.querySelector<HTMLElement>('main h1')];
    for (const place of places) {
      if (!place?.isConnected) continue;
      place.focus({ preventScroll: true });
      if (document.activeElement === place) return;
    }
  });
  addEventListener('focusin', remember);
  addEventListener('pointerdown', forget);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener('focusin', remember);
    removeEventListener('pointerdown', forget);
    observer.disconnect();
  };
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}

function linkOf(row: string): HTMLElement | null {
  return document.querySelector(`main [data-row="${CSS.escape(row)}"] [data-row-link]`);
}
