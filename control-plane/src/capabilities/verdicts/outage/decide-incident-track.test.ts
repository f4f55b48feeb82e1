import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { CurrentIncident } from '../../incidents/index.js';
import { decideIncidentTrack, type IncidentStep, type TrackMemory, type Trouble } from './decide-incident-track.js';
import type { OutageSignal } from './decide-outage.js';

/** One incident type of a monitor, with a maintenance window from the start of `from` until `until`. */
/** The checks of a row before the one that completes it. */
const FAILING_BEFORE_MS = 30_000;

class Track {
  nowMs = Date.UTC(2026, 10, 23);
  memory: TrackMemory = {};
  incident: CurrentIncident | null = null;
  window = { fromMs: Infinity, untilMs: Infinity };
  decideAtMs: number | null = null;
  /** The first failure of the present row. */
  sinceMs: number | null = null;

  constructor(private readonly autoClose = true) {}

  cover(minutes: number): this {
    this.window = { fromMs: this.nowMs, untilMs: this.nowMs + minutes * MINUTE_MS };
    return this;
  }

  get isCovered(): boolean {
    return this.nowMs >= this.window.fromMs && this.nowMs < this.window.untilMs;
  }

  decide(signal: Trouble['signal'], passMs = MINUTE_MS): IncidentStep | null {
    this.nowMs += passMs;
    if (signal === 'fine') this.sinceMs = null;
    if (signal === 'failing') this.sinceMs ??= this.nowMs - Math.min(passMs, FAILING_BEFORE_MS);
    const trouble = {
      signal,
      sinceMs: this.sinceMs,
      regions: signal === 'failing' ? (['northeurope'] as const).slice() : [],
      healthy: signal === 'fine' ? (['northeurope'] as const).slice() : [],
      severity: 'down' as const,
      messageOf: () => null,
    };
    const coveredUntilMs = this.nowMs >= this.window.fromMs ? this.window.untilMs : null;
    const context = { autoClose: this.autoClose, coveredUntilMs, nowMs: this.nowMs };
    const { memory, step, decideAtMs } = decideIncidentTrack(this.memory, trouble, this.incident, context);
    this.memory = structuredClone(memory);
    this.decideAtMs = decideAtMs;
    if (step?.kind === 'open')
      this.incident = {
        id: `incident of ${this.nowMs}`,
        monitorKey: 1,
        incidentType: 'Availability',
        isClosed: false,
        closedBy: null,
        startedMs: step.startedMs,
        endedMs: null,
      };
    if (step?.kind === 'relapse') this.incident!.endedMs = null;
    if (step?.kind === 'recover') Object.assign(this.incident!, { endedMs: this.nowMs, isClosed: step.autoClose });
    if (step?.kind === 'stop') Object.assign(this.incident!, { endedMs: this.nowMs, isClosed: true });
    return step;
  }
}

describe('An incident', () => {
  it('begins with the first failure of the row that opened it, and not before the end of the former one', () => {
    const track = new Track();
    expect(track.decide('failing')).to.deep.include({ startedMs: track.nowMs - FAILING_BEFORE_MS });
    track.decide('fine');
    const endedMs = track.nowMs;
    expect(track.decide('failing', 10_000)).to.deep.include({ startedMs: endedMs });
  });

  it('is closed without a recovery where it is no longer watched for, unless it has recovered', () => {
    const track = new Track();
    track.decide('failing');
    expect(track.decide('unwatched'))
      .to.have.nested.property('closing.detail.reason')
      .that.includes('no longer checks');
    expect(track.decide('unwatched')).to.equal(null);
    expect(track.decide('failing')).to.include({ kind: 'open', earlierIncidentId: null });

    const waiting = new Track(false);
    waiting.decide('failing');
    waiting.decide('fine');
    expect(waiting.decide('unwatched')).to.equal(null);
    expect(waiting.incident!.isClosed).to.equal(false);
  });
});

describe('During maintenance', () => {
  it('trouble opens no incident, and is one from the end of the window on if it is still there', () => {
    const track = new Track().cover(10);
    const endMs = track.window.untilMs;
    for (let minute = 1; minute < 10; minute++) {
      expect(track.decide('failing')).to.equal(null);
      expect(track.decideAtMs).to.equal(endMs);
    }
    expect(track.decide('failing', MINUTE_MS + 1_500)).to.deep.include({ kind: 'open', startedMs: endMs });
    expect(track.decide('failing')).to.equal(null);
  });

  it('trouble that ends within the window is none', () => {
    const track = new Track().cover(10);
    expect(track.decide('failing')).to.equal(null);
    expect(track.decide('fine')).to.equal(null);
    expect(track.decide('fine', 10 * MINUTE_MS)).to.equal(null);
    expect(track.decide('failing')).to.deep.include({ kind: 'open', startedMs: track.nowMs - FAILING_BEFORE_MS });
  });

  it('an open incident stays open, ends where it recovers, and is not followed by another', () => {
    const track = new Track();
    expect(track.decide('failing')).to.include({ kind: 'open' });
    track.cover(10);
    expect(track.decide('failing')).to.equal(null);
    expect(track.incident!.isClosed).to.equal(false);
    expect(track.decide('fine')).to.include({ kind: 'recover' });
    expect(track.decide('failing')).to.equal(null);
    expect(track.decide('failing', 9 * MINUTE_MS)).to.include({ kind: 'open', startedMs: track.window.untilMs });
  });

  it('an incident that waits for a person relapses at the end of the window only', () => {
    const track = new Track(false);
    track.decide('failing');
    track.decide('fine');
    track.cover(5);
    expect(track.decide('failing')).to.equal(null);
    expect(track.decide('failing', 5 * MINUTE_MS)).to.include({ kind: 'relapse' });
  });

  it('silence at the end keeps hidden trouble hidden until there are results again', () => {
    const track = new Track().cover(5);
    track.decide('failing');
    expect(track.decide('unclear', 5 * MINUTE_MS)).to.equal(null);
    expect(track.decide('failing')).to.deep.include({ kind: 'open', startedMs: track.window.untilMs });
  });

  it('no incident opens or began within the window, and none is lost, whatever happens', () => {
    const happening = fc.record({
      signal: fc.constantFrom<OutageSignal>('failing', 'failing', 'fine', 'unclear'),
      passMs: fc.integer({ min: 1_000, max: 3 * MINUTE_MS }),
      cover: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 4 }),
    });
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), fc.boolean(), (happenings, autoClose) => {
        const track = new Track(autoClose);
        for (const { signal, passMs, cover } of happenings) {
          if (cover !== null && !track.isCovered) track.cover(cover);
          const formerEndMs = track.incident?.endedMs ?? 0;
          const step = track.decide(signal, passMs);
          if (step?.kind === 'open' || step?.kind === 'relapse') expect(track.isCovered).to.equal(false);
          if (step?.kind === 'open') {
            const { fromMs, untilMs } = track.window;
            expect(step.startedMs).to.be.within(Math.max(formerEndMs, track.sinceMs!), track.nowMs);
            expect(step.startedMs < fromMs || step.startedMs >= untilMs, 'began within the window').to.equal(true);
          }
          if (signal === 'failing' && !track.isCovered && track.incident?.closedBy !== 'somebody')
            expect(track.incident?.isClosed, 'trouble without an incident').to.equal(false);
        }
      }),
    );
  });
});
