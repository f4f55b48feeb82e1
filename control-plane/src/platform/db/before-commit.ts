import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from './database.js';

/**
 * What every transaction does last that the work in here begins: it commits with the rest of it, or where this throws
 * nothing does.
 */
export const beforeCommit = new AsyncLocalStorage<(tx: Tx) => Promise<void>>();
