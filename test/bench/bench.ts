import type { BenchRow } from './bench-row.js';

/** Registers a clean-up that runs when the bench ends in any way. The last one registered runs first. */
export type Defer = (cleanUp: () => unknown) => void;

/** What `npm run bench -- NAME` can be given; a bench uses what concerns it. */
export interface BenchOptions {
  /** How long to measure; whole minutes. */
  minutes?: number;
  /** The numbers of monitors to measure, one after the other. */
  monitors?: readonly number[];
  agents?: number;
  /** The numbers of control-plane processes to measure, one after the other. */
  controlPlanes?: readonly number[];
  /** Over how many seconds the agents connect, one after the other. */
  connectWithin?: number;
  /** Measure only until the agents have their checks. */
  joining?: boolean;
  /** Leave out the faults. */
  calm?: boolean;
  /** Write the generated parts of the documentation. */
  write?: boolean;
}

/** One bench. It runs in a separate process, which is ended at its deadline. A long one gives its rows as it measures them. */
export interface Bench {
  name: string;
  deadlineSeconds: number | ((options: BenchOptions) => number);
  /** Not part of a run of all benches. */
  isOnRequest?: boolean;
  load(): Promise<(defer: Defer, options: BenchOptions) => Promise<BenchRow[]> | AsyncIterable<BenchRow[]>>;
}
