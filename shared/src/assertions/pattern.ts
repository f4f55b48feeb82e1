import { RE2JS, RE2JSSyntaxException } from 're2js';
import { BoundedCache } from '../bounded-cache.js';
import { SyntaxFault } from './syntax-fault.js';
import { TooMuchWork, type Work } from './work.js';

/** The most characters of a pattern. */
export const MAX_PATTERN = 512;
/** The memory for the states of a pattern's automaton, bytes. */
const STATE_BYTES = 1024 * 1024;
/** Making a state costs as much as examining this many characters, and more for each place of the pattern that it combines. */
const STATE_WORK = 80;
const PLACE_WORK = 15;

/** The automaton of a pattern, as the library has it; `step` makes a state that is not there yet. */
interface Automaton {
  memBudget: number;
  stateBudget: number;
  step(state: { nfaStates: readonly unknown[] }, ...rest: unknown[]): unknown;
}

const KNOWN = new BoundedCache<string, Pattern>(200);
/** The work of the match that runs; matches are synchronous. */
let spending: Work;

/** A regular expression of RE2: it is matched in linear time by an automaton, whose states are made when they are first reached. */
export class Pattern {
  readonly #re2: RE2JS;

  private constructor(source: string) {
    this.#re2 = compiled(source);
    const re2 = this.#re2.re2();
    const dfa: Automaton = re2.dfa;
    dfa.memBudget = dfa.stateBudget = STATE_BYTES;
    const step = dfa.step.bind(dfa);
    dfa.step = (state, ...rest) => {
      spending.spend(STATE_WORK + PLACE_WORK * state.nfaStates.length);
      return step(state, ...rest);
    };
    // It is used where the automaton has too many states, and takes seconds for 1 MiB.
    re2.doExecuteNFA = () => {
      throw new TooMuchWork();
    };
  }

  /** @throws SyntaxFault */
  static of(source: string): Pattern {
    let pattern = KNOWN.get(source);
    if (pattern === undefined) KNOWN.set(source, (pattern = new Pattern(source)));
    return pattern;
  }

  /** Decides whether it matches anywhere in the text, or with `isWhole` all of it. @throws TooMuchWork */
  test(text: string, work: Work, isWhole = false): boolean {
    work.spend(text.length);
    spending = work;
    return isWhole ? this.#re2.testExact(text) : this.#re2.test(text);
  }
}

function compiled(source: string): RE2JS {
  if (source.length > MAX_PATTERN)
    throw new SyntaxFault(`must have at most ${MAX_PATTERN} characters`, MAX_PATTERN + 1);
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw new SyntaxFault('is too large a pattern', 1);
    const column = error.getPattern() === null ? 1 : source.lastIndexOf(error.getPattern()!) + 1;
    throw new SyntaxFault(`is no pattern of RE2: ${error.getDescription()}`, Math.max(column, 1));
  }
}
