import type { BenchRow } from './bench-row.js';

/** Has something done when the bench is over, whatever way it ends; the last one goes first. */
export type Defer = (cleanUp: () => unknown) => void;

/** One bench: a process of its own runs it, and is ended at its deadline. */
export interface Bench {
  name: string;
  deadlineSeconds: number;
  load(): Promise<(defer: Defer) => Promise<BenchRow[]>>;
}
