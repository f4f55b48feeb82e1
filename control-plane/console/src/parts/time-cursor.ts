import { signal, useSignal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { slotAt } from './slots.js';

/** The moment at which the pointer or the keyboard is, ms: every picture of the screen that has this time shows it. */
const crosshair = signal<number | undefined>(undefined);

/** A stretch of time in equal steps, ms. */
export interface TimeSteps {
  startMs: number;
  stepMs: number;
  count: number;
}

export interface Stretch {
  startMs: number;
  endMs: number;
}

interface CursorProps extends TimeSteps {
  /** The time that the frame is as wide as; default: that of the steps. */
  axis?: Stretch;
  frame: { readonly current: HTMLElement | null };
  /** It shows where others are, and they where it is. */
  isShared: boolean;
  /** A stretch was chosen: by dragging, or by Shift with the arrow keys and Enter. */
  onZoom?: ((stretch: Stretch) => void) | undefined;
  /** A step was chosen: by a click, or by Enter. */
  onPick?: ((index: number) => void) | undefined;
}

/** The step of a picture of time that a pointer or the arrow keys have chosen, and the stretch that is being chosen. */
export function useTimeCursor({ startMs, stepMs, count, frame, isShared, onZoom, onPick, ...of }: CursorProps) {
  const axis = of.axis ?? { startMs, endMs: startMs + count * stepMs };
  const alone = useSignal<number | undefined>(undefined);
  const at = isShared ? crosshair : alone;
  const [isOwn, setOwn] = useState(false);
  const [anchor, setAnchor] = useState<number>();
  const hasDragged = useRef(false);

  const atMs = at.value;
  const steps = atMs === undefined ? -1 : Math.floor((atMs - startMs) / stepMs);
  const index = steps >= 0 && steps < count ? steps : undefined;
  const selected =
    anchor === undefined || index === undefined || anchor === index
      ? undefined
      : { from: Math.min(anchor, index), to: Math.max(anchor, index) + 1 };

  const move = (to: number | undefined) => {
    // The middle, so that pictures with other steps show the same one.
    at.value = to === undefined ? undefined : startMs + (to + 0.5) * stepMs;
    setOwn(to !== undefined);
    if (to === undefined) setAnchor(undefined);
  };
  const zoom = () => {
    if (selected === undefined || onZoom === undefined) return false;
    // The last step may end after it.
    onZoom({
      startMs: Math.max(startMs + selected.from * stepMs, axis.startMs),
      endMs: Math.min(startMs + selected.to * stepMs, axis.endMs),
    });
    move(undefined);
    return true;
  };
  const under = ({ clientX }: PointerEvent) => {
    const { left, width } = frame.current!.getBoundingClientRect();
    const underMs = axis.startMs + ((clientX - left) / width) * (axis.endMs - axis.startMs);
    return slotAt(underMs - startMs, count * stepMs, count);
  };
  return {
    index,
    /** The details are shown here, and not at another picture. */
    isOwn,
    selected,
    leave: () => move(undefined),
    /** This is for the keyboard: a pointer is somewhere already. */
    enter: ({ currentTarget }: FocusEvent) => {
      if ((currentTarget as HTMLElement).matches(':focus-visible')) move(count - 1);
    },
    handlers: {
      onPointerMove: (event: PointerEvent) => move(under(event)),
      onPointerLeave: (event: PointerEvent) => isLeft(event) && move(undefined),
      onPointerDown: (event: PointerEvent) => {
        hasDragged.current = false;
        if (onZoom === undefined || event.button !== 0) return;
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        move(under(event));
        setAnchor(under(event));
      },
      onPointerUp: () => {
        hasDragged.current = zoom();
        setAnchor(undefined);
      },
    },
    keys: {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && anchor !== undefined) setAnchor(undefined);
        if (event.key === 'Enter' && !zoom()) onPick?.(index ?? count - 1);
        const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
        if (by === 0) return;
        event.preventDefault();
        const from = index ?? count - 1;
        move(Math.min(count - 1, Math.max(0, from + by)));
        setAnchor(event.shiftKey && onZoom !== undefined ? (anchor ?? from) : undefined);
      },
      onClick: () => {
        if (!hasDragged.current && index !== undefined) onPick?.(index);
      },
    },
  };
}

/** A picture that moves away under a resting pointer takes nothing from the keyboard. @returns whether the cursor followed the pointer alone */
export function isLeft({ currentTarget }: PointerEvent): boolean {
  return !(currentTarget as HTMLElement).matches(':focus-visible');
}

/**
 * The attributes of a picture with a cursor, which is a slider for screen readers.
 * @param of.at the place of the cursor; undefined where there is none
 * @param of.idle the place that counts then
 */
export function sliderOf(of: { label: string; last: number; at: number | undefined; idle?: number; text: string }) {
  const { label, last, at, idle = last, text } = of;
  return {
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuenow': at ?? idle,
    'aria-valuetext': text,
  } as const;
}
