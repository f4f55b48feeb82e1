import type { Candidate } from './decide-owner.js';

/** Who owns what in a region, at one epoch. */
export interface Ownership {
  readonly epoch: string;
  readonly owners: readonly Candidate[];
  /** Epochs that ended lately, newest first. */
  readonly former: readonly FormerOwnership[];
}

/** The same at an epoch that is over. */
export interface FormerOwnership {
  readonly epoch: string;
  readonly owners: readonly Candidate[];
  /** By the monotonic clock. */
  readonly endedAt: number;
  /** Up to which epoch each owner had acknowledged what it gained when this one ended. */
  readonly gained: ReadonlyMap<string, number | null>;
}
