import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { decideRebuild } from './decide-rebuild.js';

const MB = 1024 ** 2;

describe('The table of series', () => {
  it('is rebuilt where it has grown to several times its usual size', () => {
    expect(decideRebuild({ bytes: 400 * MB, rows: 200_000 }, [])).to.equal(true);
    expect(decideRebuild({ bytes: 100 * MB, rows: 200_000 }, [])).to.equal(false);
    expect(decideRebuild({ bytes: 60 * MB, rows: 10 }, []), 'too small to matter').to.equal(false);
    expect(decideRebuild({ bytes: 9_000 * MB, rows: 10 }, []), 'too large for a lock').to.equal(false);
    expect(decideRebuild({ bytes: 400 * MB, rows: -1 }, []), 'never counted').to.equal(false);
  });

  it('is not rebuilt while an old snapshot would keep what is to be removed', () => {
    const grown = { bytes: 400 * MB, rows: 200_000 };
    const young = { ageMs: MINUTE_MS - 1, transactions: 9 };
    expect(decideRebuild(grown, [young])).to.equal(true);
    expect(decideRebuild(grown, [young, { ...young, ageMs: MINUTE_MS }])).to.equal(false);
    expect(decideRebuild(grown, [{ ageMs: null, transactions: 10_000 }])).to.equal(false);
  });
});
