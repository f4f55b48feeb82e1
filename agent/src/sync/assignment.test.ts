import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckKey, CheckSpec } from '@watchpost/shared/check';
import { httpCheck, type HttpTarget } from '@watchpost/shared/checks/http';
import type { Delta, Snapshot } from '@watchpost/shared/wire/messages';
import { expect } from 'chai';
import { pino } from 'pino';
import { AssignmentFile } from './assignment-file.js';
import { Assignment, ProtocolError } from './assignment.js';

const spec = (monitorKey: number, more: Partial<HttpTarget> = {}): CheckSpec => ({
  key: { monitorKey, kind: 'http' },
  intervalMs: 60_000,
  timeoutMs: 10_000,
  phaseMs: 1_234,
  changedAtMs: 1_763_000_000_000,
  target: httpCheck.target.parse({
    url: `https://example.test/${monitorKey}`,
    method: 'POST',
    headers: [{ name: 'x-key', value: 'ü' }],
    body: 'täxt',
    expectedStatus: [{ from: 200, to: 299 }],
    followRedirects: false,
    keyword: { text: 'fine', mode: 'absent' },
    ...more,
  }),
});

class RecordedSchedule {
  readonly map = new Map<number, CheckSpec>();
  get size() {
    return this.map.size;
  }
  specs = () => this.map.values();
  readonly completedThrough = new Map<number, number | undefined>();
  upsert = (one: CheckSpec, completedThroughMs?: number) => {
    this.map.set(one.key.monitorKey, one);
    this.completedThrough.set(one.key.monitorKey, completedThroughMs);
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
    const schedule = new RecordedSchedule();
    return {
      schedule,
      assignment: new Assignment(
        schedule,
        new AssignmentFile(path, credential, `secret of ${credential}`),
        pino({ level: 'silent' }),
      ),
    };
  };
  const loaded = (credential?: string) => {
    const { assignment } = open(credential);
    const restored = assignment.load();
    return {
      keys: restored.map((one) => one.spec.key.monitorKey).toSorted((a, b) => a - b),
      restored,
      revision: assignment.revision,
      epoch: assignment.epoch,
    };
  };
  const snapshot = (index: number, last: boolean, checks: CheckSpec[], revision = 5): Snapshot => ({
    kind: 'snapshot',
    revision,
    epoch: 'e',
    index,
    last,
    checks,
    handovers: null,
  });
  const delta = (revision: number, upserts: CheckSpec[], removes: CheckSpec[] = []): Delta => ({
    kind: 'delta',
    revision,
    epoch: 'f',
    upserts,
    removes: removes.map(({ key }) => key),
    handovers: [],
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watchpost-assignment-'));
    path = join(folder, 'assignment');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('applies a snapshot when it is complete, and not before', async () => {
    const { schedule, assignment } = open();
    expect(await assignment.applySnapshot(snapshot(0, false, [spec(1)]), 7)).to.equal(undefined);
    expect(schedule.size).to.equal(0);
    expect(await assignment.applySnapshot(snapshot(1, true, [spec(2)]), 7)).to.equal(5);
    expect(schedule.size).to.equal(2);
    await assignment.applySnapshot(snapshot(0, false, [spec(3)], 6), 7);
    const fault = await assignment.applySnapshot(snapshot(2, true, [], 6), 7).catch((error: unknown) => error);
    expect(fault).to.be.instanceOf(ProtocolError);
    expect([...schedule.map.keys()]).to.deep.equal([1, 2]);
    expect(loaded()).to.deep.include({ keys: [1, 2], revision: 5, epoch: 'e' });
  });

  it("is restored after a restart with all its changes and the time since when each check is this agent's", async () => {
    const { assignment } = open();
    await assignment.applySnapshot(snapshot(0, true, [spec(1), spec(2)]), 100);
    await assignment.applyDelta(delta(6, [spec(3)]), 200);
    await assignment.applyDelta(delta(7, [spec(1, { url: 'https://changed.test/' })], [spec(2)]), 300);
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

  it('keeps nothing on disk in clear, and opens it for the same secret alone', async () => {
    const auth = { type: 'basic', username: 'robot', password: 'pass-geheim' } as const;
    const secret = spec(1, { auth, headers: [{ name: 'Authorization', value: 'Bearer head-geheim' }] });
    const { assignment } = open();
    await assignment.applySnapshot(snapshot(0, true, [secret]), 100);
    await assignment.applyDelta(delta(6, [spec(2, { auth: { type: 'bearer', token: 'tok-geheim' } })]), 200);
    const bytes = readFileSync(path).toString('latin1');
    expect(bytes).not.to.include('geheim').and.not.include('robot').and.not.include('example.test');
    expect(loaded().restored[0]!.spec.target).to.deep.include({ auth });
    expect(new AssignmentFile(path, 'mine', 'secret of another').load()).to.deep.equal([]);
  });

  it('passes the completed time of a handover to the schedule, and of no other check', async () => {
    const { schedule, assignment } = open();
    const handovers = [{ key: spec(2).key, completedThroughMs: 1_763_000_000_123 }];
    await assignment.applyDelta({ ...delta(6, [spec(1), spec(2)]), handovers }, 200);
    expect(Object.fromEntries(schedule.completedThrough)).to.deep.equal({ 1: undefined, 2: 1_763_000_000_123 });
  });

  it('restores an older revision after a torn write, and is complete again after the next change', async () => {
    const first = open();
    await first.assignment.applySnapshot(snapshot(0, true, [spec(1)]), 100);
    await first.assignment.applyDelta(delta(6, [spec(2)]), 200);
    writeFileSync(path, readFileSync(path).subarray(0, -3));
    const second = open();
    for (const one of second.assignment.load()) second.schedule.upsert(one.spec);
    expect(second.assignment.revision).to.equal(5);
    await second.assignment.applyDelta(delta(6, [spec(2)]), 200);
    expect(loaded()).to.deep.include({ keys: [1, 2], revision: 6 });
    appendFileSync(path, 'rubbish');
    expect(loaded()).to.deep.include({ keys: [1, 2], revision: 6 });
  });

  it('is not restored for another credential, and is deleted when the token is refused', async () => {
    const { schedule, assignment } = open();
    await assignment.applySnapshot(snapshot(0, true, [spec(1)]), 100);
    expect(loaded('another').keys).to.deep.equal([]);
    assignment.clear();
    expect(schedule.size).to.equal(0);
    expect(loaded().keys).to.deep.equal([]);
  });

  it('does not grow on disk without bound', async () => {
    const { assignment } = open();
    await assignment.applySnapshot(snapshot(0, true, [spec(1)]), 100);
    for (let revision = 6; revision < 60; revision++)
      await assignment.applyDelta(delta(revision, [spec(1, { body: 'x'.repeat(50_000) })]), 100);
    expect(readFileSync(path).length).to.be.lessThan(1_300_000);
    expect(loaded()).to.deep.include({ keys: [1], revision: 59 });
  });
});
