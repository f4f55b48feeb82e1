import { Baseline1763800000001 } from './0001-baseline.js';

/** The first migration: a database without it is empty, or of a version that was never released. */
export const baseline = Baseline1763800000001;

/** In the order in which they run. A released migration is never edited: a change is a new one. */
export const migrations = [baseline];
