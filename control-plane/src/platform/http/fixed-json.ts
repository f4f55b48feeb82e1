import { entityTag } from './entity-tag.js';
import type { ApiAnswer } from './route.js';
import { DATA_POLICY } from './security-headers.js';

/** Returns a function that makes a value at its first call and returns the same one from then on. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The answer of a JSON document that is the same for all callers. Its bytes and its tag are made once, at the first request. */
export function fixedJson(make: () => unknown): () => ApiAnswer {
  return once(() => {
    const body = make();
    return {
      body: Buffer.from(JSON.stringify(body)),
      type: 'application/json; charset=utf-8',
      headers: { ETag: entityTag(body), 'Content-Security-Policy': DATA_POLICY },
    };
  });
}
