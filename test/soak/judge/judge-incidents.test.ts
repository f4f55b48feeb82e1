import { expect } from 'chai';
import { scheduledTimes } from './judge-checks.js';
import {
  flappingAt,
  judgeDuplicateIncidents,
  judgeFalseIncidents,
  judgeIncidentEnds,
  judgeMissingIncidents,
  type IncidentFacts,
} from './judge-incidents.js';
import type { Request, StoredIncident } from './observation.js';
import { MINUTE, T0, SHOP, fault, violations, explained } from './planted.js';

describe('the judge of incidents', () => {
  const outage = { subject: SHOP.subject, mode: 'error', fromMs: T0, toMs: T0 + 5 * MINUTE };
  const bad = (atMs: number): Request => ({ region: 'northeurope', atMs, isGood: false });
  const good = (atMs: number): Request => ({ region: 'northeurope', atMs, isGood: true });
  const due = scheduledTimes(SHOP, 'northeurope', outage.fromMs, outage.toMs);
  const incident: StoredIncident = {
    id: 'one',
    monitorId: SHOP.id,
    type: 'Availability',
    startedMs: due[0]!,
    createdMs: due[0]! + 1_000,
    endedMs: due.at(-1)! + MINUTE,
    isClosed: true,
    reason: '500',
  };
  const requests = [good(T0 - 30_000), ...due.map(bad), good(due.at(-1)! + MINUTE)];
  const facts = (more: Partial<IncidentFacts> = {}): IncidentFacts => ({
    watched: [SHOP],
    outages: [outage],
    requests: new Map([[SHOP.subject, requests]]),
    incidents: [incident],
    disturbances: [],
    fromMs: T0 - 10 * MINUTE,
    toMs: T0 + 10 * MINUTE,
    ...more,
  });
  const all = [judgeFalseIncidents, judgeMissingIncidents, judgeDuplicateIncidents, judgeIncidentEnds];

  it('accepts one incident of an outage, from its first failure to its first good answer', () => {
    for (const judge of all) expect(judge(facts()).findings, judge.name).to.deep.equal([]);
    expect(judgeMissingIncidents(facts()).judged).to.equal(1);
  });

  it('sees an incident of a target that had answered well, whatever fault there was', () => {
    const healthy = new Map([[SHOP.subject, [good(T0), good(T0 + 30_000)]]]);
    const disturbances = [fault('database killed', 'database', 'database', T0, T0 + 30_000)];
    expect(violations(judgeFalseIncidents(facts({ requests: healthy, disturbances })))).to.equal(1);
    const elsewhere = { ...incident, monitorId: 'unwatched' };
    expect(violations(judgeFalseIncidents(facts({ incidents: [elsewhere] })))).to.equal(1);
  });

  it('sees an outage that was seen and has no incident, and one whose incident came late', () => {
    expect(violations(judgeMissingIncidents(facts({ incidents: [] })))).to.equal(1);
    const late = { ...incident, createdMs: T0 + 4 * MINUTE };
    expect(violations(judgeMissingIncidents(facts({ incidents: [late] })))).to.equal(1);
    const short = { ...outage, toMs: due[0]! + 20_000 };
    expect(judgeMissingIncidents(facts({ incidents: [], outages: [short] })).judged, 'too short').to.equal(0);
    const unseen = judgeMissingIncidents(facts({ incidents: [], requests: new Map() }));
    expect(unseen.judged, 'no check saw it').to.equal(0);
    const twice = { ...SHOP, checksBeforeAlert: 2 };
    const inTime = { ...incident, createdMs: due[1]! + 20_000 };
    expect(judgeMissingIncidents(facts({ watched: [twice], incidents: [inTime] })).findings).to.deep.equal([]);
    expect(violations(judgeMissingIncidents(facts({ incidents: [inTime] })))).to.equal(1);
  });

  it('gives an incident as much more time as relevant faults were in effect, overlapping ones once', () => {
    const seen = due[0]!;
    const disturbances = [
      fault('database killed', 'database', 'database', seen + 1_000, seen + 21_000),
      fault('control plane killed', 'plane', 'p1', seen + 6_000, seen + 16_000),
    ];
    const created = (ms: number) => facts({ incidents: [{ ...incident, createdMs: seen + ms }], disturbances });
    expect(judgeMissingIncidents(created(59_000)).findings).to.deep.equal([]);
    expect(violations(judgeMissingIncidents(created(61_000)))).to.equal(1);
    const irrelevant = [fault('Redis killed', 'redis', 'redis', seen + 1_000, seen + 21_000)];
    expect(violations(judgeMissingIncidents({ ...created(40_000), disturbances: irrelevant }))).to.equal(1);
  });

  it('gives no more than two minutes, however many faults follow one another', () => {
    const seen = due[0]!;
    const disturbances = Array.from({ length: 60 }, (_, number) =>
      fault('control plane killed', 'plane', 'p1', seen + number * 5_000, seen + number * 5_000 + 4_000),
    );
    const created = (ms: number) => facts({ incidents: [{ ...incident, createdMs: seen + ms }], disturbances });
    expect(judgeMissingIncidents(created(144_000)).findings).to.deep.equal([]);
    expect(violations(judgeMissingIncidents(created(146_000)))).to.equal(1);
  });

  it('sees a second incident of one outage', () => {
    const first = { ...incident, endedMs: T0 + 2 * MINUTE };
    const second = { ...incident, id: 'two', startedMs: T0 + 3 * MINUTE, createdMs: T0 + 3 * MINUTE };
    expect(violations(judgeDuplicateIncidents(facts({ incidents: [first, second] })))).to.equal(1);
    expect(violations(judgeDuplicateIncidents(facts({ incidents: [incident, second] })))).to.equal(1);
    const recovered = [...requests, good(T0 + 2 * MINUTE)];
    const between = judgeDuplicateIncidents(
      facts({ incidents: [first, second], requests: new Map([[SHOP.subject, recovered]]) }),
    );
    expect(between.findings, 'after a good answer').to.deep.equal([]);
    const disturbances = [
      fault('failover from a killed primary', 'database', 'database', T0 + MINUTE, T0 + 2 * MINUTE),
    ];
    expect(explained(judgeDuplicateIncidents(facts({ incidents: [first, second], disturbances })))).to.equal(1);
  });

  it('sees an incident that ended while the target failed, and one that did not end', () => {
    const early = { ...incident, endedMs: T0 + 3 * MINUTE };
    expect(violations(judgeIncidentEnds(facts({ incidents: [early] })))).to.equal(1);
    const open = { ...incident, endedMs: null, isClosed: false };
    expect(violations(judgeIncidentEnds(facts({ incidents: [open] })))).to.equal(1);
    expect(judgeIncidentEnds(facts({ incidents: [open], toMs: T0 + 5 * MINUTE })).findings).to.deep.equal([]);
  });

  it('knows that flapping begins with seven changes within an hour, and goes on until there are three', () => {
    const changes = [0, 2, 8, 11, 26, 27, 41, 42].map((minute) => T0 + minute * MINUTE);
    const at = (minute: number, first = 0) => flappingAt(changes.slice(first), T0 + minute * MINUTE);
    expect(at(64)).to.deep.equal({ isFlapping: true, changes: 6 });
    expect(at(85).isFlapping).to.equal(true);
    expect(at(87)).to.deep.equal({ isFlapping: false, changes: 2 });
    expect(at(45, 2), 'six changes').to.deep.equal({ isFlapping: false, changes: 6 });
    const later = [...changes, T0 + 95 * MINUTE];
    expect(flappingAt(later, T0 + 96 * MINUTE).isFlapping, 'after a calm').to.equal(false);
  });

  it('accepts an open incident of a target that is well only while it changed often within an hour', () => {
    const earlier = [1, 2, 3].map((number): StoredIncident => {
      const startedMs = T0 - number * 5 * MINUTE;
      return { ...incident, id: `earlier ${number}`, startedMs, createdMs: startedMs, endedMs: startedMs + MINUTE };
    });
    const open = { ...incident, endedMs: null, isClosed: false };
    const own = [...earlier.map(({ endedMs }) => good(endedMs!)).toReversed(), ...requests];
    const judged = (incidents: StoredIncident[]) =>
      judgeIncidentEnds(facts({ incidents, requests: new Map([[SHOP.subject, own]]), toMs: T0 + 15 * MINUTE }));
    expect(explained(judged([...earlier, open]))).to.equal(1);
    expect(violations(judged([...earlier, open]))).to.equal(0);
    expect(violations(judged([...earlier.slice(1), open]))).to.equal(1);
  });
});
