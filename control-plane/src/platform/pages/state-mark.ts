import { HATCHES } from '@watchpost/shared/design/bar';
import { type State, STATE_LOOKS } from '@watchpost/shared/design/states';
import { Html } from '../http/html.js';

/** The shapes of states that `stateMark` refers to, and the patterns of bars: once in a document. */
export function markShapes(states: readonly State[]): Html {
  const symbols = states.map((state) => {
    const { fill, line, dashes } = STATE_LOOKS[state].mark;
    const filled = fill === undefined ? '' : `<path d="${fill}"/>`;
    const dashed = dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`;
    const drawn = line === undefined ? '' : `<path class="edge" d="${line}"${dashed}/>`;
    return `<symbol id="${state}" viewBox="0 0 16 16">${filled}${drawn}</symbol>`;
  });
  return new Html(`<svg class="unseen" width="0" height="0" aria-hidden="true">${symbols.join('')}${HATCHES}</svg>`);
}

/** The shape of a state in the current colour. Its word is beside it, so that screen readers skip it. */
export function stateMark(state: State): Html {
  return new Html(`<svg class="mark" aria-hidden="true"><use href="#${state}"/></svg>`);
}
