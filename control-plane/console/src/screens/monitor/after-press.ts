let isPressed = false;
const waiting: (() => void)[] = [];

function follow({ type }: Event): void {
  isPressed = type === 'pointerdown';
  // After the click, which follows the end of the press.
  if (!isPressed) for (const run of waiting.splice(0)) setTimeout(run);
}

for (const type of ['pointerdown', 'pointerup', 'pointercancel']) addEventListener(type, follow, true);

/** Runs once no pointer is pressed: what appears during a press moves its target away, and the click is lost. */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run);
  else run();
}
