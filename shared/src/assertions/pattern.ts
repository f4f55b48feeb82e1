import { RE2JS, RE2JSSyntaxException, RE2Set } from 're2js';
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
/** The work of a character for each place of the pattern that is tried at it, where a group is captured. */
const CAPTURE_WORK = 2;

/** The automaton of a pattern, as the library has it; `step` makes a state that is not there yet. */
interface Automaton {
  memBudget: number;
  stateBudget: number;
  step(state: { nfaStates: readonly unknown[] }, ...rest: unknown[]): unknown;
}

/** What the library searches for before it matches: texts that each match has, and the one that each begins with. */
interface Literals {
  prefilter: unknown;
  prefix: string;
  /** The beginning is the whole pattern. */
  prefixComplete: boolean;
}
const NO_LITERALS: Literals = { prefilter: null, prefix: '', prefixComplete: false };
/** The pairs of characters that the platform may compare in such a search, which takes 20 ms for as many. */
const MOST_PAIRS = 100_000_000;

/** The machine that captures groups, which the library makes at the first match. */
interface Machine {
  step(places: { size: number }, ...rest: unknown[]): unknown;
}
interface Machines {
  machinePool: Machine[];
  doExecuteNFA(input: unknown, position: number, anchor: number, captured: number): unknown;
}
/** A text without characters, as the library reads texts. */
const NO_TEXT = { step: () => -8, context: () => 0, endPos: () => 0, index: () => -1, canCheckPrefix: () => false };

/** A parsed pattern is made of these, as the library has it: what is repeated is one part in many places. */
interface Part {
  subs: readonly Part[];
  runes: readonly number[];
}
/** The most places of a pattern with all of its repetitions. They are made one by one: 5,000 take a few ms, and `(?:\pL…){1000}` would take seconds. */
const MOST_PLACES = 5_000;
/** The limits of character ranges that cost as much as a place. */
const LIMITS_A_PLACE = 64;
/** Each class of Unicode is looked up, which takes 0.1 ms. */
const MOST_CLASSES = 10;

const KNOWN = new BoundedCache<string, Pattern>(200);
/** The work of the match that runs; matches are synchronous. */
let spending: Work;

/** A regular expression of RE2: it is matched in linear time by an automaton, whose states are made when they are first reached. */
export class Pattern {
  readonly #re2: RE2JS;
  readonly #engine: Literals;
  readonly #literals: Literals;
  #isCapturing = false;

  private constructor(private readonly source: string) {
    this.#re2 = compiled(source);
    const re2 = this.#re2.re2();
    this.#engine = re2;
    const { prefilter, prefix, prefixComplete } = this.#engine;
    this.#literals = { prefilter, prefix, prefixComplete };
    const dfa: Automaton = re2.dfa;
    dfa.memBudget = dfa.stateBudget = STATE_BYTES;
    const step = dfa.step.bind(dfa);
    dfa.step = (state, ...rest) => {
      spending.spend(STATE_WORK + PLACE_WORK * state.nfaStates.length);
      return step(state, ...rest);
    };
    const machines: Machines = re2;
    const capture = machines.doExecuteNFA.bind(re2);
    // It takes seconds for 1 MiB: to find a match it would be used where the automaton has too many states.
    machines.doExecuteNFA = (...match) => {
      if (!this.#isCapturing) throw new TooMuchWork();
      if (machines.machinePool.length === 0) {
        capture(NO_TEXT, 0, 0, 0);
        boundMachine(machines.machinePool[0]!);
      }
      return capture(...match);
    };
  }

  /** @throws SyntaxFault */
  static of(source: string): Pattern {
    let pattern = KNOWN.get(source);
    if (pattern === undefined) KNOWN.set(source, (pattern = new Pattern(source)));
    return pattern;
  }

  /** Parses a pattern, which costs a small part of making it. @throws SyntaxFault */
  static check(source: string): void {
    if (!KNOWN.get(source)) parse(source);
  }

  /** Decides whether it matches anywhere in the text, or with `isWhole` all of it. @throws TooMuchWork */
  test(text: string, work: Work, isWhole = false): boolean {
    work.spend(text.length);
    spending = work;
    const isQuick = this.source.length * text.length <= MOST_PAIRS;
    Object.assign(this.#engine, isQuick ? this.#literals : NO_LITERALS);
    if (isWhole) return this.#re2.testExact(text);
    // Nothing before the first beginning can be a part of a match.
    const start = text.indexOf(this.#engine.prefix);
    return start !== -1 && this.#re2.test(start === 0 ? text : text.slice(start));
  }

  /** The first group of the first match, or all of the match where the pattern has no group; null without a match. @throws TooMuchWork */
  capture(text: string, work: Work): string | null {
    if (!this.test(text, work)) return null;
    this.#isCapturing = true;
    // The machine counts each character that it does not pass over by the beginning of the pattern.
    Object.assign(this.#engine, this.#literals);
    try {
      const matcher = this.#re2.matcher(text);
      return matcher.find() ? matcher.group(Math.min(1, matcher.groupCount())) : null;
    } finally {
      this.#isCapturing = false;
    }
  }
}

function boundMachine(machine: Machine): void {
  const step = machine.step.bind(machine);
  machine.step = (places, ...rest) => {
    spending.spend(CAPTURE_WORK * (places.size + 1));
    return step(places, ...rest);
  };
}

function compiled(source: string): RE2JS {
  parse(source);
  return RE2JS.compile(source);
}

function parse(source: string): void {
  if (source.length > MAX_PATTERN)
    throw new SyntaxFault(`must have at most ${MAX_PATTERN} characters`, MAX_PATTERN + 1);
  const set = new RE2Set();
  try {
    if ((source.match(/\\p/gi) ?? []).length <= MOST_CLASSES) set.add(source);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw new SyntaxFault('is too large a pattern', 1);
    const column = error.getPattern() === null ? 1 : source.lastIndexOf(error.getPattern()!) + 1;
    throw new SyntaxFault(`is no pattern of RE2: ${error.getDescription()}`, Math.max(column, 1));
  }
  const [whole] = (set as unknown as { regexps: readonly Part[] }).regexps;
  if (!whole || placesOf(whole, new Map()) > MOST_PLACES) throw new SyntaxFault('is too large a pattern', 1);
}

/** @param known what is repeated is counted once */
function placesOf(part: Part, known: Map<Part, number>): number {
  let places = known.get(part);
  if (places === undefined) {
    const own = 1 + part.runes.length / LIMITS_A_PLACE;
    places = part.subs.reduce((sum, sub) => sum + placesOf(sub, known), own);
    known.set(part, places);
  }
  return places;
}
