import { expect } from 'chai';
import fc from 'fast-check';
import { REGIONS, type Region } from '@watchpost/shared/region';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { CurrentIncident } from '../../incidents/index.js';
import { decideRegionVotes, meetsQuorum, regionsVoting, type RegionVote } from '../outage/decide-region-votes.js';
import { decideVerdict, type VerdictDecision, type VerdictSettings, type VerdictState } from './decide-verdict.js';
import type { IncidentStep } from '../outage/decide-incident-track.js';
import type { Series } from '../series/series.js';
import { HOLD_ANSWER_MOST_MS, HOLD_MOST_MS } from '../trust/decide-hold.js';

const NAMES: readonly Region[] = REGIONS.map(({ name }) => name);

/** A monitor with its series and its newest incident, as the database stores them. */
const eventsOf = (step: IncidentStep) => ('events' in step ? step.events : []);

class Monitor {
  nowMs = Date.UTC(2026, 10, 21);
  state: VerdictState = { verdict: 'unknown', verdictSinceMs: this.nowMs, healthStatus: null, memory: {} };
  series: Series[] = [];
  incident: CurrentIncident | null = null;
  opened = 0;
  settings: VerdictSettings = {
    isEnabled: true,
    monitorTypes: ['HttpAvailability'],
    regions: ['northeurope'],
    awaitedUntilMs: this.nowMs + 3 * MINUTE_MS,
    quorum: 'majority',
    autoClose: true,
    suspects: new Set(),
    watched: new Set(),
    coveredUntilMs: null,
    everyCertificate: false,
    successes: {},
  };

  constructor(
    settings: Partial<VerdictSettings> = {},
    public alertAfter = 2,
    public recoverAfter = 1,
  ) {
    Object.assign(this.settings, settings);
  }

  /** Applies one result as ingest does, see `seriesAfter` in ingest-store.ts. */
  result(
    found: 'up' | 'down' | 'partial' | 'inconclusive',
    region: Region = 'northeurope',
    lateMs = 0,
  ): VerdictDecision {
    const outcome = found === 'partial' ? 'down' : found;
    let series = this.series.find((own) => own.region === region);
    if (!series) {
      series = {
        region,
        kind: 'http',
        streak: 0,
        streakOutcome: null,
        streakSinceMs: null,
        failing: null,
        conclusiveAtMs: null,
        freshUntilMs: this.nowMs + 3 * MINUTE_MS,
        stale: false,
        lastMessage: 'refused',
      };
      this.series.push(series);
    }
    if (outcome !== 'inconclusive') {
      const dueMs = this.nowMs - lateMs;
      // As of the last failure, see `keepFailures` in evidence-store.ts.
      if (outcome === 'down') series.isPartial = found === 'partial';
      if (series.streakOutcome !== outcome)
        Object.assign(series, { streak: 0, streakOutcome: outcome, streakSinceMs: dueMs });
      Object.assign(series, {
        streak: series.streak + 1,
        conclusiveAtMs: dueMs,
        freshUntilMs: dueMs + 2.5 * MINUTE_MS,
      });
      const isFresh = series.freshUntilMs! > this.nowMs;
      if (outcome === 'down' && isFresh && series.streak >= this.alertAfter) series.failing = true;
      if (outcome === 'up' && (series.failing === null || series.streak >= this.recoverAfter)) series.failing = false;
      if (isFresh) series.stale = false;
    }
    return this.decide();
  }

  decide(): VerdictDecision {
    for (const series of this.series) if (series.freshUntilMs! <= this.nowMs) series.stale = true;
    const decision = decideVerdict(
      this.state,
      this.series,
      this.settings,
      this.incident ? [this.incident] : [],
      this.nowMs,
    );
    this.state = structuredClone(decision.state);
    for (const { step } of decision.steps) {
      const open = this.incident && !this.incident.isClosed ? this.incident : null;
      if (step.kind === 'open') {
        expect(open, 'two open incidents').to.equal(null);
        this.opened++;
        this.incident = {
          id: `incident-${this.opened}`,
          monitorKey: 1,
          incidentType: 'Availability',
          isClosed: false,
          closedBy: null,
          startedMs: this.nowMs,
          endedMs: null,
        };
        continue;
      }
      expect(step.incidentId).to.equal(open?.id);
      if (step.kind === 'relapse') open!.endedMs = null;
      if (step.kind === 'recover') Object.assign(open!, { endedMs: this.nowMs, isClosed: step.autoClose });
      if (step.kind === 'stop') Object.assign(open!, { endedMs: this.nowMs, isClosed: true });
    }
    return decision;
  }

  closeByHand(): void {
    if (this.incident && !this.incident.isClosed) {
      Object.assign(this.incident, {
        isClosed: true,
        closedBy: 'somebody',
        endedMs: this.incident.endedMs ?? this.nowMs,
      });
    }
  }

  pass(ms: number): this {
    this.nowMs += ms;
    return this;
  }

  /** One result per minute in the home region: `x` down, `.` up, `?` inconclusive. @returns the kinds of incident steps */
  run(pattern: string, region?: Region): string[] {
    return pattern.split('').flatMap((mark) => {
      const { steps } = this.pass(MINUTE_MS).result(
        mark === 'x' ? 'down' : mark === '.' ? 'up' : 'inconclusive',
        region,
      );
      return steps.map(({ step }) => step.kind);
    });
  }
}

describe('An availability incident', () => {
  it('opens after the configured number of failures in a row, and not before', () => {
    expect(new Monitor({}, 3).run('.xx.xx.')).to.deep.equal([]);
    expect(new Monitor({}, 3).run('.xxx')).to.deep.equal(['open']);
    expect(new Monitor({}, 1).run('x')).to.deep.equal(['open']);
  });

  it('begins with the first failure of the row that opened it', () => {
    const monitor = new Monitor({}, 3);
    monitor.run('xx.xx');
    const { step } = monitor.pass(MINUTE_MS).result('down').steps[0]!;
    expect(step).to.include({ kind: 'open', startedMs: monitor.nowMs - 2 * MINUTE_MS });
  });

  it('closes after the configured number of successes in a row', () => {
    expect(new Monitor({}, 2, 3).run('.xx..x..x...')).to.deep.equal(['open', 'recover']);
  });

  it('ignores inconclusive checks', () => {
    expect(new Monitor({}, 2).run('.x?x')).to.deep.equal(['open']);
    expect(new Monitor({}, 2).run('.?????????')).to.deep.equal([]);
    expect(new Monitor({}, 2, 2).run('xx?.?.')).to.deep.equal(['open', 'recover']);
  });

  it('stays open until a person closes it where the workspace does not close automatically, and continues after a relapse', () => {
    const monitor = new Monitor({ autoClose: false });
    expect(monitor.run('xx.')).to.deep.equal(['open', 'recover']);
    expect(monitor.run('.xx')).to.deep.equal(['relapse']);
    expect(monitor.opened).to.equal(1);
  });

  it('that a person closed is not followed by another until the monitor has recovered once', () => {
    const monitor = new Monitor();
    monitor.run('xx');
    monitor.closeByHand();
    expect(monitor.run('xxxxxx')).to.deep.equal([]);
    expect(monitor.run('.xx')).to.deep.equal(['open']);
  });

  it('that opens within five minutes of an automatic close refers to the former one', () => {
    const monitor = new Monitor();
    monitor.run('xx.x');
    const { step } = monitor.pass(MINUTE_MS).result('down').steps[0]!;
    expect(step).to.include({ kind: 'open', earlierIncidentId: 'incident-1' });
    monitor.run('.......x');
    expect(monitor.pass(MINUTE_MS).result('down').steps[0]!.step).to.include({ earlierIncidentId: null });
  });

  it('never opens for failures that are over when they are reported', () => {
    const monitor = new Monitor();
    monitor.run('..');
    monitor.pass(HOUR_MS);
    for (const late of [9, 8, 7, 6])
      expect(monitor.result('down', 'northeurope', late * MINUTE_MS).steps).to.deep.equal([]);
    expect(monitor.state.verdict).to.equal('unknown');
    expect(monitor.result('up').steps).to.deep.equal([]);
  });

  it('does not open for a monitor without availability checks', () => {
    const monitor = new Monitor({ monitorTypes: ['Latency'] });
    expect(monitor.run('xxxx')).to.deep.equal([]);
    expect(monitor.state.healthStatus).to.equal('unavailable');
  });

  it('is closed without a recovery where availability is no longer checked and the site is still down', () => {
    const monitor = new Monitor();
    monitor.run('xx');
    monitor.settings.monitorTypes = ['Latency'];
    expect(monitor.decide().steps.map(({ step }) => step.kind)).to.deep.equal(['stop']);
    expect(monitor.state.healthStatus).to.equal('unavailable');
  });
});

describe('Silence', () => {
  it('is neither an outage nor a recovery', () => {
    const healthy = new Monitor();
    healthy.run('...');
    expect(healthy.pass(HOUR_MS).decide().steps).to.deep.equal([]);
    expect(healthy.state).to.include({ verdict: 'unknown', healthStatus: null });

    const failing = new Monitor();
    failing.run('xx');
    expect(failing.pass(HOUR_MS).decide().steps).to.deep.equal([]);
    expect(failing.incident).to.include({ isClosed: false, endedMs: null });
    expect(failing.run('.')).to.deep.equal(['recover']);
  });

  it('of a failing region does not end its failure while other failed regions have not recovered', () => {
    const monitor = new Monitor({ regions: ['northeurope', 'eastus2', 'westus3'] });
    monitor.run('.', 'westus3');
    monitor.run('xx');
    expect(monitor.run('xx', 'eastus2')).to.deep.equal(['open']);
    monitor.pass(2 * MINUTE_MS).result('up', 'westus3');
    // northeurope is silent now: one of two regions with results fails, which is no majority
    expect(monitor.result('down', 'eastus2').steps).to.deep.equal([]);
    expect(monitor.result('up', 'eastus2').steps.map(({ step }) => step.kind)).to.deep.equal(['recover']);
  });

  it('of a region that was removed from the monitor does not keep an incident open, which has not recovered', () => {
    const monitor = new Monitor({ regions: ['northeurope', 'eastus2'], quorum: 'any' });
    monitor.run('..');
    expect(monitor.run('xx', 'eastus2')).to.deep.equal(['open']);
    monitor.settings = { ...monitor.settings, regions: ['northeurope'] };
    monitor.series = monitor.series.filter(({ region }) => region === 'northeurope');
    expect(monitor.run('.')).to.deep.equal(['stop']);
  });
});

describe('Several regions', () => {
  const THREE: Region[] = ['northeurope', 'eastus2', 'westus3'];

  it('lower the severity of an incident where one answers, also while too few report to end it', () => {
    const monitor = new Monitor({ regions: NAMES.slice(0, 3) }, 1);
    const severities = ({ steps }: VerdictDecision) =>
      steps.map(({ step }) => ('severity' in step ? step.severity : step.kind));
    monitor.result('down', NAMES[0]);
    expect(severities(monitor.result('down', NAMES[1]))).to.deep.equal(['down']);
    monitor.pass(60 * MINUTE_MS).result('down', NAMES[2]);
    expect(severities(monitor.result('up', NAMES[0]))).to.deep.equal(['partial']);
    expect(monitor.state.verdict).to.equal('partial');
  });

  it('make it partial while some are healthy, which the incident shows', () => {
    const monitor = new Monitor({ regions: THREE });
    for (const region of THREE) monitor.result('up', region);
    for (const region of ['northeurope', 'eastus2'] as const)
      for (let count = 0; count < 2; count++) monitor.result('down', region);
    expect(monitor.state).to.include({ verdict: 'partial', healthStatus: 'degraded' });
    expect(monitor.opened).to.equal(1);
    monitor.result('down', 'westus3');
    const { step } = monitor.result('down', 'westus3').steps[0]!;
    expect(step).to.include({ kind: 'update', severity: 'down' });
    expect(eventsOf(step).map(({ type, detail }) => [type, detail['region']])).to.deep.equal([
      ['region_failed', 'westus3'],
    ]);
  });

  it('begin an incident with the first failure in the region that completes the quorum', () => {
    const startOf = (quorum: VerdictSettings['quorum']) => {
      const monitor = new Monitor({ regions: THREE, quorum });
      const beganMs = monitor.nowMs;
      for (const region of THREE) monitor.result('up', region);
      for (let minute = 1; minute <= 4; minute++) {
        monitor.pass(MINUTE_MS);
        for (const [place, region] of THREE.entries()) {
          const { steps } = monitor.result(minute > place ? 'down' : 'up', region);
          if (steps[0]?.step.kind === 'open') return (steps[0].step.startedMs - beganMs) / MINUTE_MS;
        }
      }
      return null;
    };
    expect(startOf('any')).to.equal(1);
    expect(startOf('majority')).to.equal(2);
    expect(startOf('all')).to.equal(3);
  });

  it('that are still awaited count as healthy, for three intervals', () => {
    const monitor = new Monitor({ regions: THREE });
    expect(monitor.run('x')).to.deep.equal([]);
    expect(monitor.run('x')).to.deep.equal([]);
    expect(monitor.state.verdict).to.equal('unavailable');
    const { decideAtMs } = monitor.decide();
    expect(decideAtMs).to.equal(monitor.settings.awaitedUntilMs);
    monitor.nowMs = decideAtMs!;
    expect(monitor.decide().steps.map(({ step }) => step.kind)).to.deep.equal(['open']);
  });

  it('that are suspect neither open nor hide an incident', () => {
    const monitor = new Monitor({ regions: THREE, quorum: 'any', suspects: new Set(['eastus2'] as const) });
    monitor.run('.');
    expect(monitor.run('xxx', 'eastus2')).to.deep.equal([]);
    expect(monitor.run('xx')).to.deep.equal(['open']);
  });
});

describe('The very first failure of a single region that may be blind', () => {
  const watched = new Set(['northeurope', 'eastus2'] as const);

  it('is held before it opens an incident, and opens it when it is released', () => {
    const monitor = new Monitor({ watched }, 1);
    monitor.run('.');
    const { state, steps } = monitor.result('down');
    expect(state.verdict).to.equal('unavailable');
    expect(steps).to.deep.equal([]);
    expect(state.memory.hold).to.include({ region: 'northeurope', heldSinceMs: monitor.nowMs });
    monitor.settings.reviewed = { ...state.memory.hold!, untilMs: monitor.nowMs };
    expect(monitor.decide().steps.map(({ step }) => step.kind)).to.deep.equal(['open']);
    expect(monitor.state.memory.hold).to.equal(undefined);
  });

  it('opens its incident without a release after the longest hold', () => {
    const monitor = new Monitor({ watched }, 1);
    monitor.run('.');
    expect(monitor.result('down').decideAtMs).to.equal(monitor.nowMs + HOLD_MOST_MS);
    monitor.pass(HOLD_MOST_MS - 1);
    expect(monitor.decide().steps).to.deep.equal([]);
    monitor.pass(1);
    expect(monitor.decide().steps.map(({ step }) => step.kind)).to.deep.equal(['open']);
  });

  it('is not released with another failure, before or elsewhere', () => {
    const monitor = new Monitor({ watched, regions: ['northeurope', 'eastus2'], quorum: 'any' }, 1);
    monitor.run('..', 'eastus2');
    monitor.run('.x');
    const former = monitor.state.memory.hold!;
    monitor.run('.x');
    const { hold } = monitor.state.memory;
    expect(hold!.heldSinceMs, 'a new failure is held anew').to.be.above(former.heldSinceMs);
    for (const other of [former, { ...hold!, region: 'eastus2' as const }]) {
      monitor.settings.reviewed = { ...other, untilMs: monitor.nowMs };
      expect(monitor.decide().steps).to.deep.equal([]);
    }
    monitor.settings.reviewed = { ...hold!, untilMs: monitor.nowMs };
    expect(monitor.decide().steps.map(({ step }) => step.kind)).to.deep.equal(['open']);
  });

  it('opens no incident if the region becomes suspect meanwhile', () => {
    const monitor = new Monitor({ watched }, 1);
    monitor.run('.x');
    monitor.settings.suspects = new Set(['northeurope'] as const);
    monitor.pass(HOLD_MOST_MS);
    const { state, steps, decideAtMs } = monitor.decide();
    expect([state.verdict, steps, decideAtMs]).to.deep.equal(['unknown', [], null]);
  });

  it('is not held if the site itself reported it over verified TLS', () => {
    const monitor = new Monitor({ watched }, 1);
    monitor.run('.');
    monitor.series[0]!.answerVerified = true;
    expect(monitor.run('x')).to.deep.equal(['open']);
  });

  it('that follows from an answer is held for two seconds, and longer only where the review finds the answer elsewhere', () => {
    for (const isAlike of [false, true]) {
      const monitor = new Monitor({ watched }, 1);
      monitor.run('.');
      monitor.series[0]!.answerDigest = 7;
      const { state, steps, decideAtMs } = monitor.result('down');
      expect([steps, decideAtMs]).to.deep.equal([[], monitor.nowMs + HOLD_ANSWER_MOST_MS]);
      const longestMs = state.memory.hold!.heldSinceMs + HOLD_MOST_MS;
      if (isAlike) monitor.settings.reviewed = { ...state.memory.hold!, untilMs: longestMs };
      expect(monitor.decide().steps).to.deep.equal([]);
      monitor.settings.reviewed = undefined;
      monitor.pass(HOLD_ANSWER_MOST_MS);
      const later = monitor.decide();
      expect(later.steps.map(({ step }) => step.kind)).to.deep.equal(isAlike ? [] : ['open']);
      if (isAlike) expect(later.decideAtMs).to.equal(longestMs);
    }
  });

  it('is held no longer after a second failure, in this region or another', () => {
    expect(new Monitor({ watched }, 2).run('xx')).to.deep.equal(['open']);
    const two = new Monitor({ watched, regions: ['northeurope', 'eastus2'] }, 1);
    two.run('.');
    two.run('.', 'eastus2');
    expect(two.run('x')).to.deep.equal([]);
    expect(two.run('x', 'eastus2')).to.deep.equal(['open']);
  });
});

describe('Flapping', () => {
  it('keeps one incident open, reports it once, and lets the incident close when it ends', () => {
    const monitor = new Monitor({}, 1);
    const steps = monitor.run('x.x.x.x.x.x.x.x.x.');
    expect(steps.filter((kind) => kind === 'open')).to.have.length(4);
    expect(steps.filter((kind) => kind === 'recover')).to.have.length(3);
    expect(monitor.incident!.isClosed).to.equal(false);
    const { decideAtMs } = monitor.result('up');
    expect(decideAtMs).to.be.within(monitor.nowMs, monitor.nowMs + HOUR_MS);
    expect(monitor.run('.'.repeat(60))).to.deep.equal(['recover']);
    expect(monitor.decide().decideAtMs).to.equal(null);
  });

  it('appears in the timeline', () => {
    const monitor = new Monitor({}, 1);
    monitor.run('x.x.x.');
    const { step } = monitor.pass(MINUTE_MS).result('down').steps[0]!;
    expect(eventsOf(step).filter(({ detail }) => detail['flapping'])).to.have.length(1);
  });
});

describe('In any sequence of results', () => {
  const regions = NAMES.slice(0, 3);
  const region = fc.constantFrom(...regions);
  const happening = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        what: fc.constant('result' as const),
        region,
        outcome: fc.constantFrom('up', 'down', 'partial', 'inconclusive'),
        lateMs: fc.constantFrom(0, 0, 0, 1_000, 5 * MINUTE_MS),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constant('pass' as const),
        ms: fc.constantFrom(1_000, 20_000, MINUTE_MS, 3 * MINUTE_MS, HOUR_MS),
      }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('close' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        what: fc.constant('settings' as const),
        count: fc.integer({ min: 1, max: 3 }),
        quorum: fc.constantFrom('any', 'majority', 'all'),
        autoClose: fc.boolean(),
        suspects: fc.subarray(regions),
        watched: fc.subarray(regions),
      }),
    },
  );
  const history = fc.array(happening, { maxLength: 120 });
  const monitors = fc.record({
    alertAfter: fc.integer({ min: 1, max: 3 }),
    recoverAfter: fc.integer({ min: 1, max: 3 }),
  });

  it('there is never a second open incident, an incident without fresh failures, or health without fresh results', () => {
    fc.assert(
      fc.property(monitors, history, ({ alertAfter, recoverAfter }, happenings) => {
        const monitor = new Monitor({ regions }, alertAfter, recoverAfter);
        let hasEasedSinceClose = true;
        for (const event of happenings) {
          if (event.what === 'close') {
            if (monitor.incident && !monitor.incident.isClosed && monitor.incident.endedMs === null)
              hasEasedSinceClose = false;
            monitor.closeByHand();
          }
          if (event.what === 'pass') monitor.pass(event.ms);
          if (event.what === 'settings') {
            const named = regions.slice(0, event.count);
            const [suspects, watched] = [new Set(event.suspects), new Set(event.watched)];
            monitor.settings = { ...monitor.settings, ...event, regions: named, suspects, watched };
            monitor.series = monitor.series.filter((series) => named.includes(series.region));
          }
          const { steps } =
            event.what === 'result' && monitor.settings.regions.includes(event.region)
              ? monitor.result(event.outcome, event.region, event.lateMs)
              : monitor.decide();

          const votes = decideRegionVotes(monitor.settings.regions, monitor.series, {
            nowMs: monitor.nowMs,
            ...monitor.settings,
          });
          const count = (vote: RegionVote) => regionsVoting(votes, vote).length;
          const [failing, healthy, awaiting] = [count('failing'), count('healthy'), count('awaiting')];
          const reporting = failing + healthy;
          const isMet = meetsQuorum(monitor.settings.quorum, failing, reporting + awaiting);
          const { verdict, healthStatus } = monitor.state;
          expect(healthStatus === null).to.equal(verdict === 'unknown');
          expect(verdict === 'unknown').to.equal(reporting === 0);
          expect(verdict === 'available').to.equal(failing === 0 && healthy > 0);
          const isDown = ({ region: name, failing: fails, isPartial }: Series) =>
            votes.get(name) === 'failing' && fails === true && isPartial !== true;
          const down = monitor.series.filter(isDown).length;
          expect(verdict === 'partial', 'answers in part').to.equal(failing > 0 && (healthy > 0 || down < failing));
          expect(verdict === 'unavailable', 'answers nowhere').to.equal(
            failing > 0 && healthy === 0 && down === failing,
          );
          for (const { step } of steps) {
            if (step.kind !== 'open' && step.kind !== 'update') continue;
            if (isMet) expect(step.severity).to.equal(verdict === 'unavailable' ? 'down' : 'partial');
            // Too few regions report for a higher severity; that one of them answers is enough for a lower one.
            else expect(step.severity === 'down' && healthy > 0, 'down where a region answers').to.equal(false);
          }
          if (!isMet) hasEasedSinceClose = true;
          for (const { step } of steps) {
            if (step.kind === 'open' || step.kind === 'relapse')
              expect(isMet, 'a page without fresh evidence').to.equal(true);
            if (step.kind === 'open') expect(hasEasedSinceClose, 'closed by hand, and opened again').to.equal(true);
            if (step.kind === 'recover') expect(!isMet && reporting > 0, 'recovered without evidence').to.equal(true);
          }
          if (isMet && monitor.state.memory.hold === undefined) {
            const isClosedByHand = monitor.incident?.isClosed && monitor.incident.closedBy !== null;
            expect(
              monitor.incident !== null && (!monitor.incident.isClosed || isClosedByHand),
              'an outage without an incident',
            ).to.equal(true);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('deciding again about the same state changes nothing', () => {
    fc.assert(
      fc.property(monitors, history, ({ alertAfter, recoverAfter }, happenings) => {
        const monitor = new Monitor({ regions }, alertAfter, recoverAfter);
        for (const event of happenings) {
          if (event.what === 'pass') monitor.pass(event.ms);
          if (event.what === 'result') monitor.result(event.outcome, event.region, event.lateMs);
          monitor.decide();
          const before = structuredClone(monitor.state);
          expect(monitor.decide().steps).to.deep.equal([]);
          expect(monitor.state).to.deep.equal(before);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('only a few incidents open within an hour', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('x', '.', '?'), { maxLength: 60 }), (marks) => {
        const monitor = new Monitor({}, 1);
        monitor.run(marks.join(''));
        expect(monitor.opened).to.be.at.most(4);
      }),
    );
  });

  it('a monitor that is not checked has no verdict and no incident', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const monitor = new Monitor({ regions, isEnabled: false }, 1);
        for (const event of happenings) {
          if (event.what === 'pass') monitor.pass(event.ms);
          if (event.what === 'result') monitor.result(event.outcome, event.region, event.lateMs);
        }
        expect(monitor.decide().state).to.include({ verdict: 'unknown', healthStatus: null });
        expect(monitor.opened).to.equal(0);
      }),
    );
  });
});

describe('Private locations', () => {
  const LOCATIONS: readonly Region[] = ['private:#100', 'private:#101'];
  const PLACES: readonly Region[] = ['northeurope', 'eastus2', ...LOCATIONS];
  const quorum = fc.constantFrom('any', 'majority', 'all');
  const step = fc.record({
    place: fc.constantFrom(...PLACES),
    outcome: fc.constantFrom('up', 'down', 'partial', 'inconclusive'),
    ms: fc.constantFrom(1_000, 20_000, MINUTE_MS, 4 * MINUTE_MS),
  });
  const steps = fc.array(step, { maxLength: 40 });

  /** Plays the results of the places that `has` accepts, and passes on after each. */
  const play = (
    monitor: Monitor,
    played: readonly { place: Region; outcome: 'up' | 'down' | 'partial' | 'inconclusive'; ms: number }[],
    has: (place: Region) => boolean,
    look: () => void,
  ) => {
    for (const { place, outcome, ms } of played) {
      monitor.pass(ms);
      if (has(place)) monitor.result(outcome, place);
      monitor.decide();
      look();
    }
  };

  it('that advise decide no incident and no recovery, whatever the quorum, and change `available` to `partial` at most', () => {
    fc.assert(
      fc.property(steps, quorum, fc.nat(2), (played, needed, alertAfter) => {
        const settings = { quorum: needed, regions: [...PLACES], advisory: new Set(LOCATIONS) };
        const advised = new Monitor(settings, alertAfter + 1);
        const alone = new Monitor({ quorum: needed, regions: ['northeurope', 'eastus2'] }, alertAfter + 1);
        const states: [VerdictState, number, CurrentIncident | null][][] = [[], []];
        for (const [index, monitor] of [advised, alone].entries())
          play(
            monitor,
            played,
            (place) => monitor === advised || !LOCATIONS.includes(place),
            () => states[index]!.push([monitor.state, monitor.opened, structuredClone(monitor.incident)]),
          );
        for (const [at, [own, opened, incident]] of states[0]!.entries()) {
          const [without, openedWithout, incidentWithout] = states[1]![at]!;
          expect([opened, incident]).to.deep.equal([openedWithout, incidentWithout]);
          if (own.verdict !== without.verdict)
            expect([without.verdict, own.verdict]).to.deep.equal(['available', 'partial']);
        }
      }),
    );
  });

  it('that vote, or are alone, count just as regions do', () => {
    const other: Readonly<Record<string, Region>> = { 'private:#100': 'westus3', 'private:#101': 'japaneast' };
    fc.assert(
      fc.property(steps, quorum, fc.boolean(), (played, needed, isAlone) => {
        const used = isAlone ? LOCATIONS : PLACES;
        const located = new Monitor({ quorum: needed, regions: [...used] }, 1);
        const regional = new Monitor({ quorum: needed, regions: used.map((place) => other[place] ?? place) }, 1);
        const seen: unknown[][] = [[], []];
        const note = (monitor: Monitor, at: number) => () =>
          seen[at]!.push([
            monitor.state.verdict,
            monitor.state.healthStatus,
            monitor.opened,
            monitor.incident?.isClosed,
          ]);
        play(located, played, (place) => used.includes(place), note(located, 0));
        const moved = played.map((one) => ({ ...one, place: other[one.place] ?? one.place }));
        play(regional, moved, (place) => regional.settings.regions.includes(place), note(regional, 1));
        expect(seen[0]).to.deep.equal(seen[1]);
      }),
    );
  });

  it('that are silent are unknown: never down, never healthy, and no end of an outage', () => {
    fc.assert(
      fc.property(steps, quorum, (played, needed) => {
        const monitor = new Monitor({ quorum: needed, regions: [...LOCATIONS] }, 1);
        play(
          monitor,
          played,
          (place) => LOCATIONS.includes(place),
          () => {},
        );
        const { opened, incident } = monitor;
        const isOpen = incident !== null && !incident.isClosed && incident.endedMs === null;
        monitor.pass(10 * MINUTE_MS).decide();
        monitor.pass(HOUR_MS).decide();
        expect(monitor.state).to.include({ verdict: 'unknown', healthStatus: null });
        expect(monitor.opened).to.equal(opened);
        if (isOpen) expect(monitor.incident).to.include({ isClosed: false, endedMs: null });
      }),
    );
  });
});
