import { ManualClock } from '@watchpost/shared/clock';
import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryDisk } from './memory-disk.js';
import { Spool } from './spool.js';
import type { SpoolLimits } from './spool-options.js';

const LIMITS: SpoolLimits = {
  maxBytes: 100_000,
  maxRecords: 10_000,
  segmentBytes: 400,
  memoryBytes: 1_000,
  keepAckedMs: 75_000,
};

function setUp(limits: Partial<SpoolLimits> = {}) {
  const clock = new ManualClock(1_763_000_000_000);
  const disk = new MemoryDisk(() => clock.now());
  const reported = { dropped: 0, corrupt: 0, disk: [] as (string | undefined)[] };
  const open = (visit?: (payload: Buffer) => void) =>
    new Spool({
      disk,
      clock,
      limits: { ...LIMITS, ...limits },
      ...(visit && { visit }),
      events: {
        dropped: (records) => void (reported.dropped += records),
        corrupt: () => void reported.corrupt++,
        disk: (error) => void reported.disk.push(error?.message.slice(0, 6)),
      },
    });
  return { clock, disk, reported, open };
}

/** All results, as pairs of number and text. */
function readAll(spool: Spool): [number, string][] {
  const all: [number, string][] = [];
  for (let batch = spool.read(spool.ackedSequence, 7, 300); batch; batch = spool.read(all.at(-1)![0], 7, 300)) {
    batch.payloads.forEach((payload, index) =>
      all.push([batch.firstSequence + index, Buffer.from(payload).toString()]),
    );
  }
  return all;
}
const text = (index: number) => `result ${index} ${'x'.repeat(index % 60)}`;

describe('the spool', () => {
  it('returns results in order until they are acknowledged', () => {
    const { open } = setUp();
    const spool = open();
    const sequences = Array.from({ length: 100 }, (_, index) => spool.append(Buffer.from(text(index))));
    expect(readAll(spool)).to.deep.equal(sequences.map((sequence, index) => [sequence, text(index)]));
    spool.ack(sequences[59]!);
    expect(spool.depth).to.equal(40);
    expect(readAll(spool)[0]).to.deep.equal([sequences[60], text(60)]);
  });

  it('has a backlog while a quarter of its memory waits, or what only the disk has', () => {
    const { open } = setUp();
    const spool = open();
    const appended = Array.from({ length: 26 }, () => spool.append(Buffer.alloc(10)));
    expect(spool.hasBacklog).to.equal(true);
    spool.ack(appended[0]!);
    expect(spool.hasBacklog).to.equal(false);
    spool.close();
    const next = open();
    expect(next.hasBacklog).to.equal(true);
    next.ack(appended.at(-1)!);
    expect(next.hasBacklog).to.equal(false);
  });

  it('continues with the next number and the same id after a clean end', () => {
    const { open } = setUp();
    const first = open();
    const last = first.append(Buffer.from('a'));
    first.close();
    const second = open();
    expect(second.spoolId).to.equal(first.spoolId);
    expect(second.append(Buffer.from('b'))).to.equal(last + 1);
    expect(readAll(second).map(([, what]) => what)).to.deep.equal(['a', 'b']);
  });

  it('loses nothing when its process is killed, and uses no number twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ appends: fc.nat(40), acks: fc.double({ min: 0, max: 1, noNaN: true }) }), {
          minLength: 1,
          maxLength: 8,
        }),
        (lives) => {
          const { open, reported } = setUp();
          const model: [number, string][] = [];
          let counter = 0;
          let acked = 0;
          for (const life of lives) {
            const spool = open();
            expect(readAll(spool)).to.deep.equal(model.filter(([sequence]) => sequence > acked));
            for (let index = 0; index < life.appends; index++) {
              const what = text(counter++);
              model.push([spool.append(Buffer.from(what)), what]);
            }
            const waiting = model.filter(([sequence]) => sequence > acked);
            acked = waiting[Math.floor(life.acks * waiting.length) - 1]?.[0] ?? acked;
            spool.ack(acked);
            expect(spool.depth).to.equal(model.filter(([sequence]) => sequence > acked).length);
          }
          expect(new Set(model.map(([sequence]) => sequence)).size).to.equal(model.length);
          expect(reported).to.deep.equal({ dropped: 0, corrupt: 0, disk: [] });
        },
      ),
    );
  });

  it('returns no wrong result after power cuts and flipped bits', () => {
    const damage = fc.oneof(
      fc.record({ do: fc.constant('power' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({ do: fc.constant('flip' as const), at: fc.nat(1_000_000) }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ appends: fc.nat(40), damage }), { minLength: 1, maxLength: 8 }), (lives) => {
        const { open, disk, clock } = setUp();
        const model = new Map<string, string>();
        let counter = 0;
        for (const life of lives) {
          clock.advance(1_000);
          const spool = open();
          const found = readAll(spool);
          for (const [sequence, what] of found) expect(what).to.equal(model.get(`${spool.spoolId}/${sequence}`));
          const numbers = found.map(([sequence]) => sequence);
          expect(numbers).to.deep.equal([...new Set(numbers)].toSorted((a, b) => a - b));
          for (let index = 0; index < life.appends; index++) {
            const what = text(counter++);
            const sequence = spool.append(Buffer.from(what));
            expect(model.has(`${spool.spoolId}/${sequence}`)).to.equal(false);
            model.set(`${spool.spoolId}/${sequence}`, what);
          }
          if (life.damage.do === 'power') disk.cutPower(life.damage.share);
          else disk.flipBit(life.damage.at);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('sends from memory while the disk is full, and writes the backlog when there is space', () => {
    const { open, disk, reported, clock } = setUp();
    const spool = open();
    for (let index = 0; index < 10; index++) spool.append(Buffer.from(text(index)));
    disk.capacity = 0;
    for (let index = 10; index < 20; index++) spool.append(Buffer.from(text(index)));
    expect(spool.heldRecords).to.equal(10);
    expect(readAll(spool).map(([, what]) => what)).to.deep.equal(Array.from({ length: 20 }, (_, index) => text(index)));
    disk.capacity = Infinity;
    clock.advance(6_000);
    spool.sweep();
    expect(spool.heldRecords).to.equal(0);
    expect(reported.disk).to.deep.equal(['ENOSPC', undefined]);
    expect(readAll(open()).map(([, what]) => what)).to.deep.equal(
      Array.from({ length: 20 }, (_, index) => text(index)),
    );
  });

  it('continues on a disk that turns read-only, and writes the backlog and removes old segments when it works again', () => {
    const { open, disk, reported, clock } = setUp();
    const spool = open();
    for (let index = 0; index < 40; index++) spool.append(Buffer.from(text(index)));
    spool.ack(readAll(spool)[29]![0]);
    const before = spool.bytes;
    for (const operation of ['write', 'truncate', 'sync', 'remove'] as const) disk.faults.set(operation, 'EROFS');
    clock.advance(80_000);
    for (let index = 40; index < 50; index++) {
      spool.append(Buffer.from(text(index)));
      spool.ack(readAll(spool)[0]![0]);
      clock.advance(6_000);
      spool.sweep();
    }
    expect([spool.depth, spool.bytes, reported.dropped, reported.corrupt]).to.deep.equal([10, before, 0, 0]);
    expect(readAll(spool).map(([, what]) => what)).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => text(40 + index)),
    );
    expect(new Set(reported.disk)).to.deep.equal(new Set(['EROFS:']));
    disk.faults.clear();
    clock.advance(80_000);
    spool.sweep();
    expect(spool.heldRecords).to.equal(0);
    expect(spool.bytes).to.be.below(before);
    expect(reported.disk.filter((error) => error === undefined)).to.have.length(1);
    const seen: string[] = [];
    expect(readAll(open((payload) => seen.push(payload.toString())))).to.deep.equal(readAll(spool));
    expect(seen).to.include(text(49));
  });

  it('reports one failure while old segments cannot be removed, although writes fail and work again', () => {
    const { open, disk, reported, clock } = setUp({ maxBytes: 4_000, memoryBytes: 100_000 });
    const spool = open();
    disk.faults.set('remove', 'EIO');
    for (let index = 0; reported.disk.length === 0; index++) spool.append(Buffer.from(text(index)));
    for (let index = 0; index < 500; index++) {
      disk.capacity = index % 50 < 25 ? Infinity : 0;
      spool.append(Buffer.from(text(index)));
      clock.advance(1_000);
      spool.sweep();
    }
    expect(new Set(reported.disk)).to.deep.equal(new Set(['EIO: r', 'ENOSPC']));
    expect(reported.dropped).to.equal(0);
    disk.capacity = Infinity;
    disk.faults.clear();
    clock.advance(6_000);
    spool.append(Buffer.from(text(500)));
    spool.append(Buffer.from('x'.repeat(400)));
    spool.append(Buffer.from(text(501)));
    expect(reported.disk.at(-1)).to.equal(undefined);
    expect(spool.bytes).to.be.at.most(4_500);
  });

  it('keeps its results while this process has no descriptor left to read them', () => {
    const { open, disk, reported } = setUp();
    const spool = open();
    for (let index = 0; index < 100; index++) spool.append(Buffer.from(text(index)));
    disk.faults.set('open', 'EMFILE');
    expect(spool.read(0, 7, 300)).to.equal(undefined);
    disk.faults.clear();
    expect(readAll(spool).map(([, what]) => what)).to.deep.equal(
      Array.from({ length: 100 }, (_, index) => text(index)),
    );
    expect(reported.corrupt).to.equal(0);
  });

  it('ends on a disk that fails', () => {
    const { open, disk, reported } = setUp();
    const spool = open();
    spool.append(Buffer.from('a'));
    for (const operation of ['write', 'truncate', 'sync', 'remove'] as const) disk.faults.set(operation, 'EIO');
    spool.discard();
    spool.close();
    expect(new Set(reported.disk)).to.deep.equal(new Set(['EIO: t', 'EIO: r', 'EIO: w', 'EIO: s']));
  });

  it('has every result on disk for the next start once there is space, acknowledged from memory or not', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant('append' as const) },
      { weight: 2, arbitrary: fc.constant('ack' as const) },
      fc.constantFrom('full' as const, 'half' as const, 'room' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), fc.boolean(), (steps, clean) => {
        const { open, disk, clock, reported } = setUp({ memoryBytes: 1_000_000 });
        const spool = open();
        const appended: string[] = [];
        for (const one of steps) {
          clock.advance(200);
          if (one === 'append') appended.push(text(spool.append(Buffer.from(text(appended.length + 1)))));
          else if (one === 'ack') spool.ack(readAll(spool)[3]?.[0] ?? 0);
          else disk.capacity = one === 'room' ? Infinity : one === 'half' ? appended.length * 30 + 200 : 0;
        }
        const { depth } = spool;
        disk.capacity = Infinity;
        clock.advance(6_000);
        if (clean) spool.close();
        else spool.sweep();
        expect([spool.heldRecords, reported.dropped]).to.deep.equal([0, 0]);
        const seen: string[] = [];
        const next = open((payload) => seen.push(payload.toString()));
        expect(seen).to.deep.equal(appended);
        expect(next.depth).to.be.at.least(depth);
      }),
      { numRuns: 200 },
    );
  });

  it('does not report results as lost that were acknowledged before memory was full', () => {
    const { open, disk, reported } = setUp();
    const spool = open();
    disk.capacity = 0;
    for (let index = 0; index < 500; index++) spool.ack(spool.append(Buffer.from(text(index))));
    expect([spool.depth, reported.dropped]).to.deep.equal([0, 0]);
  });

  it('drops the oldest results and reports their number when memory is full, too', () => {
    const { open, disk, reported } = setUp();
    const spool = open();
    disk.capacity = 0;
    for (let index = 0; index < 500; index++) spool.append(Buffer.from(text(index)));
    const left = readAll(spool);
    expect(left.at(-1)![1]).to.equal(text(499));
    expect(reported.dropped + left.length).to.equal(500);
    expect(spool.depth).to.equal(left.length);
  });

  it('is consistent on a disk that fills and empties at any time', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant('append' as const) },
      fc.constantFrom(...(['full', 'half', 'stuck', 'room', 'crash', 'ack'] as const)),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const { open, disk, clock } = setUp();
        let spool = open();
        const model = new Map<string, string>();
        let counter = 0;
        for (const one of steps) {
          clock.advance(1_000);
          if (one === 'append') {
            const what = text(counter++);
            model.set(`${spool.spoolId}/${spool.append(Buffer.from(what))}`, what);
          } else if (one === 'full') disk.capacity = 0;
          else if (one === 'half') disk.capacity = counter * 30 + 200;
          else if (one === 'stuck') disk.faults.set('remove', 'EIO');
          else if (one === 'ack') spool.ack(readAll(spool)[3]?.[0] ?? 0);
          else {
            disk.faults.clear();
            if (one === 'room') disk.capacity = Infinity;
            else spool = open();
          }
          const found = readAll(spool);
          for (const [sequence, what] of found) expect(what).to.equal(model.get(`${spool.spoolId}/${sequence}`));
          expect(found.length).to.equal(spool.depth);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('stays within its limits, and drops the oldest results first', () => {
    const { open, reported } = setUp({ maxBytes: 4_000 });
    const spool = open();
    for (let index = 0; index < 1_000; index++) spool.append(Buffer.from(text(index)));
    expect(spool.bytes).to.be.at.most(4_500);
    const left = readAll(spool);
    expect(left.map(([, what]) => what)).to.deep.equal(
      Array.from({ length: left.length }, (_, index) => text(1_000 - left.length + index)),
    );
    expect(reported.dropped).to.equal(1_000 - left.length);
  });

  it('shows a restarted agent the results of the last minute, even acknowledged ones, and none later', () => {
    const { open, clock } = setUp();
    const spool = open();
    for (let index = 0; index < 40; index++) spool.append(Buffer.from(text(index)));
    spool.ack(spool.append(Buffer.from('last')));
    const seen: string[] = [];
    open((payload) => seen.push(payload.toString()));
    expect(seen.length).to.equal(41);
    clock.advance(80_000);
    const later = open();
    later.sweep();
    expect(later.bytes).to.equal(0);
  });

  it('sends again what was acknowledged within 75 s, also when it is older itself, across restarts', () => {
    const step = fc.record({
      waitMs: fc.nat(30_000),
      appends: fc.nat(8),
      acks: fc.double({ min: 0, max: 1, noNaN: true }),
      restarts: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        const { open, clock } = setUp();
        let spool = open();
        const ackedAt = new Map<string, number>();
        let counter = 0;
        for (const { waitMs, appends, acks, restarts } of steps) {
          clock.advance(waitMs);
          for (let index = 0; index < appends; index++) spool.append(Buffer.from(text(counter++)));
          const waiting = readAll(spool);
          const acked = waiting.slice(0, Math.floor(acks * waiting.length));
          for (const [, what] of acked) ackedAt.set(what, clock.now());
          if (acked.length > 0) spool.ack(acked.at(-1)![0]);
          spool.sweep();
          if (restarts) spool = open();
        }
        const before = readAll(spool);
        const count = spool.rewind();
        const after = readAll(spool).map(([, what]) => what);
        expect(after.slice(-before.length || after.length)).to.deep.equal(before.map(([, what]) => what));
        expect(after.length - before.length).to.equal(count);
        const recent = [...ackedAt].filter(([, atMs]) => atMs > clock.now() - LIMITS.keepAckedMs);
        for (const [what] of recent) expect(after).to.include(what);
      }),
      { numRuns: 200 },
    );
  });

  it('sends nothing again that was acknowledged earlier', () => {
    const { open, clock } = setUp();
    const spool = open();
    for (let index = 0; index < 20; index++) {
      spool.ack(spool.append(Buffer.from(text(index))));
      clock.advance(10_000);
    }
    expect(spool.rewind()).to.be.within(7, 8);
    spool.ack(readAll(spool).at(-1)![0]);
    expect(spool.depth).to.equal(0);
  });

  it('skips a rejected result and continues after it', () => {
    const { open } = setUp();
    const spool = open();
    const sequences = ['a', 'bad', 'c'].map((what) => spool.append(Buffer.from(what)));
    spool.skip(sequences[1]!);
    expect(readAll(spool).map(([, what]) => what)).to.deep.equal(['a', 'c']);
    spool.ack(sequences[0]!);
    expect(spool.ackedSequence).to.equal(sequences[1]);
  });

  it('starts empty with another id when its results belong to another region', () => {
    const { open, reported } = setUp();
    const spool = open();
    spool.append(Buffer.from('theirs'));
    const before = spool.spoolId;
    spool.discard();
    expect([spool.depth, readAll(spool).length, reported.dropped]).to.deep.equal([0, 0, 1]);
    expect(spool.spoolId).to.not.equal(before);
    spool.append(Buffer.from('ours'));
    expect(readAll(open()).map(([, what]) => what)).to.deep.equal(['ours']);
  });
});
