import { STATE_LOOKS } from '@watchpost/shared/design/states';
import { lookOf, wordOf, type ShownState } from './state.js';

/**
 * A state by colour, shape and word.
 * @param word another word for it, where what is in this state is no monitor
 * @param isQuiet shows the mark alone; the word remains for screen readers and on hover
 */
export function StateMark(props: { state: ShownState; word?: string; isQuiet?: boolean }) {
  const { state, word = wordOf(state), isQuiet = false } = props;
  const look = lookOf(state);
  const { fill, line, dashes } = STATE_LOOKS[look].mark;
  return (
    <span class={`state state-${look}`} title={isQuiet ? word : undefined}>
      <svg class="state-shape" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
        {fill && <path d={fill} fill="currentColor" />}
        {line && <path d={line} fill="none" stroke="currentColor" stroke-width="1.8" stroke-dasharray={dashes} />}
      </svg>
      <span class={isQuiet ? 'unseen' : 'state-word'}>{word}</span>
    </span>
  );
}
