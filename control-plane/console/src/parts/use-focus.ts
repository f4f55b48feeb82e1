import { useLayoutEffect, type Inputs } from 'preact/hooks';

/**
 * Gives focus to what was drawn, once all that changes with it is there too, such as the heading that a navigation leads to.
 * That is before the next key arrives: an effect after painting would come too late for the first keys on a busy machine.
 */
export function useFocus(focus: () => void, inputs: Inputs = []): void {
  useLayoutEffect(() => queueMicrotask(focus), inputs);
}
