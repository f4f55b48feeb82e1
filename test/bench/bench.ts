import type { BenchRow } from './bench-row.js';

/** Registers a clean-up that runs when the bench ends in any way. The last one registered runs first. */
export type Defer = (cleanUp: () => unknown) => void;

/** One bench. It runs in a separate process, which is ended at its deadline. */
export interface Bench {
  name: string;
  deadlineSeconds: number;
  load(): Promise<(defer: Defer) => Promise<BenchRow[]>>;
}
