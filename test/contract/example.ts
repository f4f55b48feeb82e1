import type { TestUser } from '../support/app.js';
import type { ApiResponse } from '../support/product.js';
import type { World } from '../support/seed.js';

/** How one operation is called with success, and what is out of the ordinary about it. */
export interface Example {
  /** Makes what the call is about in `world`, and says how to call. */
  seed?(world: World): ExampleCall | Promise<ExampleCall | void>;
  /** The status of success; default the first 2xx that the route declares. */
  status?: number;
  /** More about the answer than its schema says. */
  check?(answer: ApiResponse, world: World, call: ExampleCall): unknown;
  /** A body, other than the example's own, that names something of another workspace: answered with 404. */
  foreignBody?(world: World, foreign: World): Promise<unknown>;
  /** Why the caller may not repeat the request, so that its key is of no use. */
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
