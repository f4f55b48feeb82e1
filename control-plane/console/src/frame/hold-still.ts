import { options } from 'preact';

/** What is pressed longer is no click; and some presses end unheard, as on a scroll bar. */
const LONGEST_PRESS_MS = 3_000;
/** A pointer that moves further drags something, which is to be seen. */
const DRAG_PX = 6;
/** How long after the end of a press its click comes at the latest. */
const CLICK_MS = 100;

/** What waits to be drawn; undefined while no pointer is pressed. */
let held: (() => void)[] | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let [startX, startY] = [0, 0];

/**
 * Draws nothing while a pointer is pressed: what appears or grows during a press, as an answer that arrives does, moves its
 * target away, and the click is lost.
 */
export function holdStill(): void {
  options.debounceRendering = (draw) => {
    if (held === undefined) queueMicrotask(draw);
    else held.push(draw);
  };
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const)
    addEventListener(type, follow, true);
  // After what the click does, so that it is done with what was pressed, and before any other event.
  addEventListener('click', release);
  // Where a handler stops the click on its way.
  addEventListener('click', () => held && setTimeout(release), true);
}

function follow({ type, isPrimary, clientX, clientY }: PointerEvent): void {
  if (!isPrimary) return;
  if (type === 'pointerdown') {
    release();
    held = [];
    [startX, startY] = [clientX, clientY];
    timer = setTimeout(release, LONGEST_PRESS_MS);
  } else if (held === undefined) return;
  else if (type === 'pointerup') {
    clearTimeout(timer);
    timer = setTimeout(release, CLICK_MS);
  } else if (type === 'pointercancel' || Math.hypot(clientX - startX, clientY - startY) > DRAG_PX) release();
}

function release(): void {
  const draws = held ?? [];
  held = undefined;
  clearTimeout(timer);
  for (const draw of draws) draw();
}
