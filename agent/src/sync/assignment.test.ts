import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckKey, CheckSpec, HttpTarget } from '@watchpost/shared/check';
import type { Delta } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { expect } from 'chai';
import { pino } from 'pino';
import { AssignmentFile } from './assignment-file.js';
import { Assignment, ProtocolError } from './assignment.js';
import { specToWire } from '@watchpost/shared/wire/spec-to-wire';
import { fromWireSpec } from './check-codec.js';

const spec = (monitorKey: number, more: Partial<HttpTarget> = {}): CheckSpec => ({
  key: { monitorKey, kind: 'http' },
  intervalMs: 60_000,
  timeoutMs: 10_000,
  phaseMs: 1_234,
  changedAtMs: 1_763_000_000_000,
  target: {
    kind: 'http',
    url: `https://example.test/${monitorKey}`,
    method: 'POST',
    headers: [{ name: 'x-key', value: 'ü' }],
    body: 'täxt',
    expectedStatus: [{ from: 200, to: 299 }],
    followRedirects: false,
    keyword: { text: 'fine', mode: 'absent' },
    verifyCertificate: true,
    egress: 'monitor',
    ...more,
  },
});

class Held {
  readonly map = new Map<number, CheckSpec>();
  get size() {
    return this.map.size;
  }
  specs = () => this.map.values();
  readonly owed = new Map<number, number | undefined>();
  upsert = (one: CheckSpec, doneThroughMs?: number) => {
    this.map.set(one.key.monitorKey, one);
    this.owed.set(one.key.monitorKey, doneThroughMs);
  };
  remove = (key: CheckKey) => void this.map.delete(key.monitorKey);
  replaceAll(specs: readonly CheckSpec[]) {
    this.map.clear();
    for (const one of specs) this.upsert(one);
  }
}

describe('the assignment', () => {
  let folder: string;
  let path: string;
  const open = (credential = 'mine') => {
    const held = new Held();
    return { held, assignment: new Assignment(held, new AssignmentFile(path, credential), pino({ level: 'silent' })) };
  };
  const loaded = (credential?: string) => {
    const { assignment } = open(credential);
    const restored = assignment.load();
    return {
      keys: restored.map((one) => one.spec.key.monitorKey).toSorted((a, b) => a - b),
      restored,
      revision: Number(assignment.revision),
      epoch: assignment.epoch,
    };
  };
  const snapshot = (index: number, last: boolean, checks: CheckSpec[], revision = 5n) => ({
    revision,
    epoch: 'e',
    index,
    last,
    checks: checks.map(specToWire),
    arrears: [] as Delta['arrears'],
    arrearsKnown: false,
  });
  const delta = (revision: bigint, upserts: CheckSpec[], removes: CheckSpec[] = []) => ({
    revision,
    epoch: 'f',
    upserts: upserts.map(specToWire),
    removes: removes.map((one) => specToWire(one).key!),
    arrears: [] as Delta['arrears'],
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watchpost-assignment-'));
    path = join(folder, 'assignment');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('carries every setting of a check over the wire and back', () => {
    for (const one of [
      { ...spec(1), ownerKey: 'k3yOfAnOwner', siteKey: 'k3yOfASite' },
      spec(2, {
        headers: [],
        body: null,
        keyword: null,
        followRedirects: true,
        verifyCertificate: false,
        egress: 'public',
      }),
    ]) {
      expect(fromWireSpec(specToWire(one))).to.deep.equal({ ownerKey: undefined, siteKey: undefined, ...one });
    }
  });

  it('takes a snapshot whole or not at all', async () => {
    const { held, assignment } = open();
    expect(await assignment.applySnapshot(snapshot(0, false, [spec(1)]), 7n)).to.equal(undefined);
    expect(held.size).to.equal(0);
    expect(await assignment.applySnapshot(snapshot(1, true, [spec(2)]), 7n)).to.equal(5n);
    expect(held.size).to.equal(2);
    await assignment.applySnapshot(snapshot(0, false, [spec(3)], 6n), 7n);
    const fault = await assignment.applySnapshot(snapshot(2, true, [], 6n), 7n).catch((error: unknown) => error);
    expect(fault).to.be.instanceOf(ProtocolError);
    expect([...held.map.keys()]).to.deep.equal([1, 2]);
    expect(loaded()).to.deep.include({ keys: [1, 2], revision: 5, epoch: 'e' });
  });

  it('is there after a restart with all its changes, and knows since when each check is ours', async () => {
    const { assignment } = open();
    await assignment.applySnapshot(snapshot(0, true, [spec(1), spec(2)]), 100n);
    await assignment.applyDelta(delta(6n, [spec(3)]), 200n);
    await assignment.applyDelta(delta(7n, [spec(1, { url: 'https://changed.test/' })], [spec(2)]), 300n);
    const after = loaded();
    expect(after).to.deep.include({ keys: [1, 3], revision: 7, epoch: 'f' });
    expect(Object.fromEntries(after.restored.map((one) => [one.spec.key.monitorKey, one.assignedAtMs]))).to.deep.equal({
      1: 100,
      3: 200,
    });
    expect(after.restored.find((one) => one.spec.key.monitorKey === 1)!.spec.target).to.include({
      url: 'https://changed.test/',
    });
  });

  it('goes on where an agent that is gone left a check, and only there', async () => {
    const { held, assignment } = open();
    const arrears = [{ key: specToWire(spec(2)).key, doneThroughMs: 1_763_000_000_123n }];
    await assignment.applyDelta({ ...delta(6n, [spec(1), spec(2)]), arrears }, 200n);
    expect(Object.fromEntries(held.owed)).to.deep.equal({ 1: undefined, 2: 1_763_000_000_123 });
  });

  it('names an older revision after a torn write, and is right again after the next change', async () => {
    const first = open();
    await first.assignment.applySnapshot(snapshot(0, true, [spec(1)]), 100n);
    await first.assignment.applyDelta(delta(6n, [spec(2)]), 200n);
    writeFileSync(path, readFileSync(path).subarray(0, -3));
    const second = open();
    for (const one of second.assignment.load()) second.held.upsert(one.spec);
    expect(second.assignment.revision).to.equal(5n);
    await second.assignment.applyDelta(delta(6n, [spec(2)]), 200n);
    expect(loaded()).to.deep.include({ keys: [1, 2], revision: 6 });
    appendFileSync(path, 'rubbish');
    expect(loaded()).to.deep.include({ keys: [1, 2], revision: 6 });
  });

  it('is nobody else’s, and gone when the token is refused', async () => {
    const { held, assignment } = open();
    await assignment.applySnapshot(snapshot(0, true, [spec(1)]), 100n);
    expect(loaded('another').keys).to.deep.equal([]);
    assignment.clear();
    expect(held.size).to.equal(0);
    expect(loaded().keys).to.deep.equal([]);
  });

  it('does not grow without end on disk', async () => {
    const { assignment } = open();
    await assignment.applySnapshot(snapshot(0, true, [spec(1)]), 100n);
    for (let revision = 6n; revision < 60n; revision++)
      await assignment.applyDelta(delta(revision, [spec(1, { body: 'x'.repeat(50_000) })]), 100n);
    expect(readFileSync(path).length).to.be.lessThan(1_300_000);
    expect(loaded()).to.deep.include({ keys: [1], revision: 59 });
  });
});
