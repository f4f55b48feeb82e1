import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { describeOldSnapshot, type SnapshotHolder } from './oldest-snapshot.js';

describe('A snapshot that holds back vacuum', () => {
  const transaction: SnapshotHolder = { kind: 'transaction', pid: 42, ageMs: 61 * MINUTE_MS, transactions: 9 };
  const slot: SnapshotHolder = { kind: 'slot', pid: null, ageMs: null, transactions: 200_000 };

  it('is described with its backend and its age once it is ten minutes old', () => {
    expect(describeOldSnapshot([transaction])).to.match(
      /^A transaction \(PostgreSQL backend 42\) has kept .* for 61 min: /,
    );
    expect(describeOldSnapshot([{ ...transaction, ageMs: 10 * MINUTE_MS - 1 }])).to.equal(null);
    expect(describeOldSnapshot([])).to.equal(null);
  });

  it('without a known age is described once many transactions have begun since', () => {
    expect(describeOldSnapshot([transaction, slot])).to.match(
      /^A replication slot has kept .* for 200000 transactions: /,
    );
    expect(describeOldSnapshot([{ ...slot, transactions: 99_999 }])).to.equal(null);
  });
});
