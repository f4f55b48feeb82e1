import type { ApiResponse } from '../support/product.js';
import type { World } from '../support/seed.js';
import type { FEATURE_ROWS, LIMIT_ROWS } from './plan-rows.js';

/** How one more of what a plan counts is made: answered with 201 while there is room. */
interface Counted {
  make(world: World, index: number): Promise<ApiResponse>;
  /** How many are tried where there is no limit. */
  few?: number;
}

/** How something is used that a plan has or has not. */
interface Feature {
  attempt(world: World): Promise<ApiResponse>;
  success: number;
}

export const COUNTED: Readonly<Partial<Record<keyof typeof LIMIT_ROWS, Counted>>> = {};

export const FEATURES: Readonly<Partial<Record<keyof typeof FEATURE_ROWS, Feature>>> = {};
