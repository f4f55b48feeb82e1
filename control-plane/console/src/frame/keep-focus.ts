/**
 * Gives focus back where a change of the screen took it: a row that moved, a button that is gone, a dialog that closed.
 * A dialog keeps its own focus, so what is remembered is outside of it. Where the person moves on, nothing is given back:
 * between two stops of the key Tab nothing has focus, and what is drawn then would catch the person for good.
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
  // Who moves on to another place; a dialog gives focus back when it closes.
  const leave = (event: FocusEvent) => {
    if (event.relatedTarget !== null && !isInDialog(event.relatedTarget)) forget(event);
  };
  const observer = new MutationObserver((records) => {
    if (last === undefined || document.activeElement !== document.body) return;
    // Who left the document, or put a keyboard on the screen away, finds it so.
    if (!isTaken(last, records)) return void (last = undefined);
    const places = [last, row === undefined ? null : linkOf(row), document.querySelector<HTMLElement>('main h1')];
    for (const place of places) {
      if (!place?.isConnected) continue;
      place.focus({ preventScroll: true });
      if (document.activeElement === place) return;
    }
  });
  addEventListener('focusin', remember);
  addEventListener('focusout', leave);
  addEventListener('pointerdown', forget);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener('focusin', remember);
    removeEventListener('focusout', leave);
    removeEventListener('pointerdown', forget);
    observer.disconnect();
  };
}

/** Whether a change of the screen took the focus of an element: it is gone or was moved, or can have none any more. */
function isTaken(element: HTMLElement, records: readonly MutationRecord[]): boolean {
  if (!element.isConnected || element.matches(':disabled') || !element.checkVisibility()) return true;
  return records.some(({ removedNodes }) => [...removedNodes].some((removed) => removed.contains(element)));
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}

function linkOf(row: string): HTMLElement | null {
  return document.querySelector(`main [data-row="${CSS.escape(row)}"] [data-row-link]`);
}
