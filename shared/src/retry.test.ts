import { expect } from 'chai';
import { keepRunning, retry } from './retry.js';

const backoff = { initialMs: 1, maxMs: 2, factor: 2 };

describe('retry', () => {
  it('makes attempts until one succeeds, and reports each failure', async () => {
    const failures: unknown[] = [];
    let left = 3;
    const result = await retry(
      async () => {
        if (left-- > 0) throw new Error(`${left} left`);
        return 'done';
      },
      { backoff, onFailure: (error, attempt) => failures.push([attempt, (error as Error).message]) },
    );
    expect(result).to.equal('done');
    expect(failures).to.deep.equal([
      [0, '2 left'],
      [1, '1 left'],
      [2, '0 left'],
    ]);
  });

  it('ends with what onFailure throws', async () => {
    const attempt = retry(() => Promise.reject(new Error('cause')), {
      backoff,
      onFailure(error, count) {
        if (count === 2) throw new Error('given up', { cause: error });
      },
    });
    const error = await attempt.then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message).to.equal('given up');
  });

  it('ends during a pause when its signal is aborted', async () => {
    const stopping = new AbortController();
    let attempts = 0;
    const ended = retry(() => Promise.reject(new Error(`attempt ${++attempts}`)), {
      backoff: { initialMs: 60_000, maxMs: 60_000, factor: 2 },
      signal: stopping.signal,
      onFailure: () => setImmediate(() => stopping.abort()),
    });
    const error = await ended.then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.name).to.equal('AbortError');
    expect(attempts).to.equal(1);
  });
});

describe('keepRunning', () => {
  it('starts again what ends or fails, with a growing pause, until its signal is aborted', async () => {
    const stopping = new AbortController();
    const ends: [string | undefined, number][] = [];
    let runs = 0;
    await keepRunning(
      async () => {
        if (++runs === 2) throw new Error('failed');
        if (runs === 4) stopping.abort();
      },
      {
        backoff,
        healthyMs: 60_000,
        signal: stopping.signal,
        onEnd: (error, { attempt }) => ends.push([(error as Error | undefined)?.message, attempt]),
      },
    );
    expect(ends).to.deep.equal([
      [undefined, 0],
      ['failed', 1],
      [undefined, 2],
    ]);
  });

  it('starts the backoff anew after a healthy run', async () => {
    const stopping = new AbortController();
    const attempts: number[] = [];
    await keepRunning(() => new Promise((resolve) => setTimeout(resolve, 2)), {
      backoff,
      healthyMs: 0,
      signal: stopping.signal,
      onEnd(_error, { attempt }) {
        attempts.push(attempt);
        if (attempts.length === 3) stopping.abort();
      },
    });
    expect(attempts).to.deep.equal([0, 0, 0]);
  });
});
