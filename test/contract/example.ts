import type { TestUser } from '../support/app.js';
import type { ApiResponse } from '../support/product.js';
import type { World } from '../support/seed.js';

/** How to call one operation successfully, and its exceptions from the common rules. */
export interface Example {
  /** Creates in `world` what the call needs, and returns the parameters of the call. */
  seed?(world: World): ExampleCall | Promise<ExampleCall | void>;
  /** The status of success; default the first 2xx that the route declares. */
  status?: number;
  /** Asserts about the answer what its schema does not contain. */
  check?(answer: ApiResponse, world: World, call: ExampleCall): unknown;
  /** A body that names something of another workspace. The answer to it is 404. */
  foreignBody?(world: World, foreign: World): Promise<unknown>;
  /** The reason why the caller may not repeat the request, not even with the same idempotency key. */
  notReplayed?: string;
  /** The answer when the outside world is not there, as in these tests no agent is; why. */
  succeedsElsewhere?: string;
}

export interface ExampleCall {
  /** Those of the path, without the one that names the workspace. */
  params?: Readonly<Record<string, string>>;
  /** Without the question mark. */
  query?: string;
  body?: unknown;
  /** Who must call, where not just any member with the least role: works in the world's workspace. */
  by?: Pick<TestUser, 'sub'>;
}

export type Examples = Readonly<Record<string, Example>>;
