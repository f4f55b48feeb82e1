import type { TestUser } from '../support/app.js';
import type { ApiResponse } from '../support/product.js';
import type { World } from '../support/seed.js';

/** How to call one operation successfully, and its exceptions from the common rules. */
export interface Example {
  /** Creates in `world` what the call needs, and returns the parameters of the call. */
  seed?(world: World): ExampleCall | Promise<ExampleCall | void>;
  /** The status of success; default the first 2xx that the route declares. */
  status?: number;
  /** The entries that the call adds to the audit log, in alphabetical order, where they are not one of each action of the route. */
  entries?: readonly string[];
  /** The type of the actor of these entries, and the way by which the change came, where the route does not imply them. */
  author?: readonly [actorType: string, via: string];
  /** Asserts about the answer what its schema does not contain. */
  check?(answer: ApiResponse, world: World, call: ExampleCall): unknown;
  /** A body that names something of another workspace. The answer to it is 404. */
  foreignBody?(world: World, foreign: World): Promise<unknown>;
  /** How an id that names nothing is refused; default 404 `not_found`. */
  unknown?: readonly [status: number, error: string];
  /** Fields of the first answer that a repeated idempotency key does not get again. */
  shownOnce?: readonly string[];
  /** The reason why the caller may not repeat the request, not even with the same idempotency key. */
  notReplayed?: string;
  /** The answer without a part of the outside world, such as an agent, which these tests do not have, and the reason. */
  succeedsElsewhere?: string;
}

export interface ExampleCall {
  /** The parameters of the path, except the one that names the workspace. */
  params?: Readonly<Record<string, string>>;
  /** The query string without the question mark. */
  query?: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** The caller in the world's workspace; by default a member with the least sufficient role. */
  by?: Pick<TestUser, 'sub'>;
}

export type Examples = Readonly<Record<string, Example>>;
