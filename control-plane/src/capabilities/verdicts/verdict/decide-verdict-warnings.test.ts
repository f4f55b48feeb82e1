import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckKind } from '@watchpost/shared/check';
import type { IncidentType } from '@watchpost/shared/incident-types';
import { MONITOR_TYPES, type MonitorType } from '@watchpost/shared/monitor-types';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { CurrentIncident } from '../../incidents/index.js';
import type { WindowCheck } from '../warnings/success-window-store.js';
import { decideVerdict, type VerdictSettings, type VerdictState } from './decide-verdict.js';
import type { Series } from '../series/series.js';

const REGIONS = ['northeurope', 'eastus2'] as const;
const KINDS = ['http', 'ssl', 'dns'] as const;

interface Happening {
  kind: CheckKind;
  region: Region;
  outcome: 'up' | 'down' | 'nothing';
  totalMs: number;
  warns: boolean;
  waitMinutes: number;
}

/** A monitor of all types, its series as ingest writes them, and its incidents. */
class Monitor {
  nowMs = Date.UTC(2026, 10, 21);
  state: VerdictState = { verdict: 'unknown', verdictSinceMs: this.nowMs, healthStatus: null, memory: {} };
  series: Series[] = [];
  incidents: CurrentIncident[] = [];
  /** The types of those that ended without a recovery. */
  stopped: IncidentType[] = [];
  windows = new Map<Region, WindowCheck[]>();
  settings: VerdictSettings;

  constructor(monitorTypes: readonly MonitorType[], hasAssertions = false) {
    this.settings = {
      isEnabled: true,
      monitorTypes,
      regions: REGIONS,
      awaitedUntilMs: this.nowMs,
      quorum: 'majority',
      autoClose: true,
      suspects: new Set(),
      watched: new Set(),
      coveredUntilMs: null,
      everyCertificate: false,
      successes: {
        ...(monitorTypes.includes('Latency')
          ? { latency: { settings: { thresholdMs: 1_000, percentile: 50, windowChecks: 2 }, windows: this.windows } }
          : {}),
        ...(hasAssertions
          ? { assertions: { settings: { alertAfter: 2, recoverAfter: 2 }, windows: this.windows } }
          : {}),
      },
    };
  }

  happen({ outcome, waitMinutes, ...check }: Happening): void {
    this.nowMs += waitMinutes * MINUTE_MS;
    if (outcome !== 'nothing') this.result(outcome, check);
    this.decide();
  }

  private result(
    outcome: 'up' | 'down',
    { kind, region, totalMs, warns }: Omit<Happening, 'outcome' | 'waitMinutes'>,
  ): void {
    let series = this.series.find((one) => one.kind === kind && one.region === region);
    if (!series) {
      series = { ...NEW, kind, region };
      this.series.push(series);
    }
    if (series.streakOutcome !== outcome)
      Object.assign(series, { streak: 0, streakOutcome: outcome, streakSinceMs: this.nowMs });
    Object.assign(series, {
      streak: series.streak + 1,
      conclusiveAtMs: this.nowMs,
      freshUntilMs: this.nowMs + 2.5 * MINUTE_MS,
      stale: false,
    });
    if (outcome === 'up') series.failing = false;
    else if (series.streak >= 2) series.failing = true;
    if (kind === 'http' && outcome === 'up')
      this.windows.set(region, [
        ...(this.windows.get(region) ?? []).slice(-1),
        { scheduledAtMs: this.nowMs, totalUs: totalMs * 1_000, warning: warns ? 'It is old.' : null },
      ]);
  }

  decide(): number {
    for (const series of this.series) if (series.freshUntilMs! <= this.nowMs) series.stale = true;
    const newest = new Map(this.incidents.map((incident) => [incident.incidentType, incident]));
    const { state, steps } = decideVerdict(this.state, this.series, this.settings, [...newest.values()], this.nowMs);
    // As the database stores it.
    this.state = JSON.parse(JSON.stringify(state)) as VerdictState;
    for (const { incidentType, step } of steps) {
      const open = this.openOf(incidentType);
      if (step.kind === 'open') {
        expect(open, 'a second open incident of a type').to.equal(undefined);
        this.incidents.push({
          id: `incident-${this.incidents.length + 1}`,
          monitorKey: 1,
          incidentType,
          isClosed: false,
          closedBy: null,
          startedMs: this.nowMs,
          endedMs: null,
        });
        continue;
      }
      expect(step.incidentId).to.equal(open?.id);
      if (step.kind === 'recover') Object.assign(open!, { endedMs: this.nowMs, isClosed: step.autoClose });
      if (step.kind !== 'stop') continue;
      Object.assign(open!, { endedMs: this.nowMs, isClosed: true });
      this.stopped.push(incidentType);
    }
    return steps.length;
  }

  openOf(type: IncidentType): CurrentIncident | undefined {
    return this.incidents.find(({ incidentType, isClosed }) => incidentType === type && !isClosed);
  }

  fresh(kind: CheckKind): Series[] {
    return this.series.filter((one) => one.kind === kind && one.freshUntilMs! > this.nowMs);
  }
}

const NEW: Omit<Series, 'kind' | 'region'> = {
  streak: 0,
  streakOutcome: null,
  streakSinceMs: null,
  failing: null,
  conclusiveAtMs: null,
  freshUntilMs: null,
  stale: false,
  lastMessage: 'it failed',
};

const happening = fc.record({
  kind: fc.constantFrom<CheckKind>(...KINDS),
  region: fc.constantFrom<Region>(...REGIONS),
  outcome: fc.constantFrom('up', 'up', 'down', 'down', 'nothing'),
  totalMs: fc.constantFrom(100, 3_000),
  warns: fc.boolean(),
  waitMinutes: fc.constantFrom(0, 0, 1, 1, 3),
}) as fc.Arbitrary<Happening>;
const types = fc.subarray(['HttpAvailability', 'SslCertificate', 'Latency', 'Dns'] as MonitorType[], { minLength: 1 });
const RANK = { available: 2, degraded: 1, unavailable: 0 } as const;
const KIND_OF = { SslExpiry: 'ssl', Dns: 'dns' } as const;

describe('Warnings', () => {
  it('open at most one incident per type, by fresh results only, and deciding again changes nothing', () => {
    fc.assert(
      fc.property(types, fc.boolean(), fc.array(happening, { maxLength: 60 }), (monitorTypes, asserts, happenings) => {
        const monitor = new Monitor(monitorTypes, asserts);
        for (const one of happenings) {
          const before = monitor.incidents.length;
          monitor.happen(one);
          const opened = monitor.incidents.slice(before);
          for (const { incidentType } of opened) {
            if (incidentType === 'SslExpiry' || incidentType === 'Dns')
              expect(monitor.fresh(KIND_OF[incidentType]).some(({ failing }) => failing)).to.equal(true);
            if (incidentType === 'Latency')
              expect(
                [...monitor.windows.values()].some((checks) => checks.some(({ totalUs }) => totalUs > 1e6)),
              ).to.equal(true);
            if (incidentType === 'Assertion')
              expect(
                [...monitor.windows.values()].some((checks) => checks.every(({ warning }) => warning !== null)),
              ).to.equal(true);
          }
          const state = structuredClone(monitor.state);
          expect(monitor.decide(), 'decided something again').to.equal(0);
          expect(monitor.state).to.deep.equal(state);
        }
      }),
    );
  });

  it('never make the health better than availability does, and leave it null exactly where that is unknown', () => {
    fc.assert(
      fc.property(types, fc.boolean(), fc.array(happening, { maxLength: 60 }), (monitorTypes, asserts, happenings) => {
        const all = new Monitor(monitorTypes, asserts);
        const plain = new Monitor(['HttpAvailability']);
        for (const one of happenings) {
          all.happen(one);
          plain.happen(one);
          const { verdict, healthStatus } = all.state;
          expect(healthStatus === null).to.equal(verdict === 'unknown');
          if (!monitorTypes.includes('HttpAvailability')) continue;
          expect(verdict).to.equal(plain.state.verdict);
          if (healthStatus !== null) expect(RANK[healthStatus]).to.be.at.most(RANK[plain.state.healthStatus!]);
          const open = (['SslExpiry', 'Dns', 'Latency', 'Assertion'] as const).some((type) => all.openOf(type));
          if (verdict === 'available' && open) expect(healthStatus).to.equal('degraded');
        }
      }),
    );
  });

  it('of a monitor without availability checks make it available only while all kinds are fresh and healthy, and never unavailable', () => {
    const own = fc.subarray(['SslCertificate', 'Dns'] as MonitorType[], { minLength: 1 });
    fc.assert(
      fc.property(own, fc.array(happening, { maxLength: 60 }), (monitorTypes, happenings) => {
        const monitor = new Monitor(monitorTypes);
        for (const one of happenings) {
          monitor.happen(one);
          const kinds = monitorTypes.map((type) => (type === 'Dns' ? 'dns' : 'ssl') as CheckKind);
          const conclusive = kinds.map((kind) => monitor.fresh(kind).filter(({ failing }) => failing !== null));
          const { healthStatus } = monitor.state;
          expect(healthStatus).to.not.equal('unavailable');
          if (conclusive.every((series) => series.length === 0)) expect(healthStatus).to.equal(null);
          if (conclusive.flat().some(({ failing }) => failing)) expect(healthStatus).to.equal('degraded');
          if (healthStatus === 'available')
            for (const series of conclusive) expect(series.some(({ failing }) => failing === false)).to.equal(true);
        }
      }),
    );
  });

  it('end without a recovery when their type is no longer monitored', () => {
    const monitor = new Monitor(['HttpAvailability', 'Dns']);
    const both = (outcome: 'up' | 'down') => {
      const plain = { totalMs: 1, warns: false, waitMinutes: 0 };
      for (const region of REGIONS) monitor.happen({ ...plain, kind: 'http', region, outcome: 'up' });
      for (const region of REGIONS) monitor.happen({ ...plain, kind: 'dns', region, outcome });
    };
    both('down');
    both('down');
    expect(monitor.openOf('Dns')).to.not.equal(undefined);
    expect(monitor.state.healthStatus).to.equal('degraded');
    monitor.settings.monitorTypes = MONITOR_TYPES.filter((type) => type === 'HttpAvailability');
    monitor.decide();
    expect(monitor.stopped).to.deep.equal(['Dns']);
    expect(monitor.openOf('Dns')).to.equal(undefined);
    expect(monitor.state.healthStatus).to.equal('available');
  });

  it('of assertions make the monitor degraded at once, open an incident after several, and end as others do', () => {
    const monitor = new Monitor(['HttpAvailability'], true);
    const check = (region: Region, warns: boolean) =>
      monitor.happen({ kind: 'http', region, outcome: 'up', totalMs: 1, warns, waitMinutes: 0 });
    const both = (warns: boolean) => REGIONS.forEach((region) => check(region, warns));
    both(false);
    expect(monitor.state.healthStatus).to.equal('available');
    both(true);
    expect(monitor.state.healthStatus).to.equal('degraded');
    expect(monitor.openOf('Assertion')).to.equal(undefined);
    check(REGIONS[0], true);
    expect(monitor.openOf('Assertion'), 'without a majority').to.equal(undefined);
    check(REGIONS[1], true);
    expect(monitor.openOf('Assertion')).to.not.equal(undefined);
    expect(monitor.state.verdict).to.equal('available');
    both(false);
    expect(monitor.openOf('Assertion'), 'after one check without a warning').to.not.equal(undefined);
    expect(monitor.state.healthStatus).to.equal('degraded');
    both(false);
    expect(monitor.openOf('Assertion')).to.equal(undefined);
    expect(monitor.state.healthStatus).to.equal('available');
  });

  it('of assertions that are removed end', () => {
    const monitor = new Monitor(['HttpAvailability'], true);
    for (let index = 0; index < 2; index++)
      for (const region of REGIONS)
        monitor.happen({ kind: 'http', region, outcome: 'up', totalMs: 1, warns: true, waitMinutes: 0 });
    expect(monitor.openOf('Assertion')).to.not.equal(undefined);
    monitor.settings.successes = {};
    monitor.decide();
    expect(monitor.openOf('Assertion')).to.equal(undefined);
    expect(monitor.state.healthStatus).to.equal('available');
  });
});
