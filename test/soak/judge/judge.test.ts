import { expect } from 'chai';
import { judgeChecks, scheduledTimes } from './judge-checks.js';
import { judgeMessages, judgeUnknownIncidents } from './judge-messages.js';
import { judgeEnds, judgeRecovery, judgeReports } from './judge-recovery.js';
import { judgeQueues, judgeResources, slopeOf } from './judge-resources.js';
import { judgeLostResults, judgeTotals, resultKey } from './judge-results.js';
import { judgeWrites } from './judge-writes.js';
import type { Disturbance, Judgement, Message, Request, Sample, StoredIncident } from './observation.js';
import { MINUTE, T0, SHOP, fault, violations, explained } from './planted.js';

describe('the judge of results', () => {
  const stored = [{ key: 7, kind: 1, region: 'northeurope' as const, scheduledMs: T0, outcome: 1 }];
  const key = (scheduledMs: number) => resultKey({ key: 7, kind: 1, region: 'northeurope', scheduledMs });

  it('sees a result that was on a disk and is not stored', () => {
    const spooled = new Set([key(T0), key(T0 + MINUTE)]);
    expect(
      judgeLostResults(spooled, stored, new Set([7]), new Set([7]), []).findings.map(({ what }) => what),
    ).to.deep.equal([key(T0 + MINUTE)]);
    expect(judgeLostResults(new Set([key(T0)]), stored, new Set([7]), new Set([7]), []).findings).to.deep.equal([]);
    expect(judgeLostResults(spooled, [], new Set(), new Set(), []).findings, 'of a deleted monitor').to.deep.equal([]);
  });

  it('explains a lost result by a failover only where the monitor was changed', () => {
    const failover = fault('failover from a killed primary', 'database', 'database', T0 + MINUTE, T0 + MINUTE + 9_000);
    const lost = new Set([key(T0 + MINUTE)]);
    expect(violations(judgeLostResults(lost, stored, new Set([7]), new Set([7]), [failover]))).to.equal(1);
    expect(explained(judgeLostResults(lost, stored, new Set([7]), new Set(), [failover]))).to.equal(1);
    expect(violations(judgeLostResults(lost, stored, new Set([7]), new Set(), []))).to.equal(1);
  });

  it('sees a result that is counted twice, or not at all', () => {
    const totals = [
      { subject: 'a', reported: 3, stored: 3 },
      { subject: 'b', reported: 4, stored: 3 },
      { subject: 'c', reported: 2, stored: 3 },
    ];
    expect(judgeTotals(totals).findings).to.have.length(2);
  });
});

describe('the judge of checks', () => {
  const [due] = scheduledTimes(SHOP, 'northeurope', T0, T0 + MINUTE) as [number];
  const judge = (requests: Request[], disturbances: Disturbance[] = []) => {
    const facts = {
      watched: [SHOP],
      requests: new Map([[SHOP.subject, requests]]),
      agentsEach: 2,
      fromMs: T0,
      toMs: T0 + MINUTE,
    };
    const [missed, late] = judgeChecks({ ...facts, disturbances }) as [Judgement, Judgement];
    return { missed, late };
  };
  const at = (ms: number): Request => ({ region: 'northeurope', atMs: ms, isGood: true });
  const agents = ['a1', 'a2'].map((name) => fault('agent paused', 'agent', name, due - 5_000, due + 20_000));

  it('accepts a request in time', () => {
    const { missed, late } = judge([at(due + 14_000)]);
    expect(missed.judged).to.equal(1);
    expect([...missed.findings, ...late.findings]).to.deep.equal([]);
  });

  it('sees a scheduled time without a request, one that is late, and one of another region only', () => {
    expect(violations(judge([]).missed)).to.equal(1);
    expect(violations(judge([at(due + 20_000)]).late)).to.equal(1);
    expect(violations(judge([{ ...at(due), region: 'eastus2' }]).missed)).to.equal(1);
  });

  it('is not satisfied by one fault, because the other agent takes over', () => {
    expect(violations(judge([], [agents[0]!]).missed)).to.equal(1);
    expect(
      violations(judge([], [fault('database killed', 'database', 'database', due - 1_000, due + 5_000)]).missed),
    ).to.equal(1);
  });

  it('is satisfied by faults of both agents, or of one and of the control', () => {
    expect(explained(judge([], agents).missed)).to.equal(1);
    const both = [agents[0]!, fault('control plane killed', 'plane', 'p1', due - 1_000, due + 5_000)];
    expect(explained(judge([], both).missed)).to.equal(1);
    const elsewhere = agents.map((one) => ({ ...one, region: 'eastus2' as const }));
    expect(violations(judge([], elsewhere).missed)).to.equal(1);
    const before = agents.map((one) => ({
      ...one,
      fromMs: T0 - 300_000,
      mendedMs: T0 - 200_000,
      recoveredMs: T0 - 200_000,
    }));
    expect(violations(judge([], before).missed)).to.equal(1);
  });
});

describe('the judge of messages', () => {
  const incident = { id: 'one', monitorId: 'shop', isClosed: true, createdMs: T0 } as StoredIncident;
  const message = (type: string, atMs: number, messageId = type): Message => ({
    channel: 'webhook',
    messageId,
    incidentId: 'one',
    type: `incident.${type}`,
    atMs,
  });
  const [opened, resolved] = [message('opened', T0), message('resolved', T0 + MINUTE)];
  const judge = (messages: Message[], disturbances: Disturbance[] = []) => {
    const judged = judgeMessages({ messages, incidents: [incident], channels: ['webhook'], disturbances });
    const [missing, doubled, order] = judged as [Judgement, Judgement, Judgement];
    return { missing, doubled, order };
  };
  const kill = fault('control plane killed', 'plane', 'p1', T0 - 1_000, T0 + 5_000);
  const failover = fault('failover from a frozen primary', 'database', 'database', T0 - 1_000, T0 + 5_000);

  it('accepts a beginning and an end, each once and in order', () => {
    const { missing, doubled, order } = judge([opened, resolved]);
    expect([...missing.findings, ...doubled.findings, ...order.findings]).to.deep.equal([]);
  });

  it('sees a missing beginning, a missing end, and an end before its beginning', () => {
    expect(violations(judge([resolved]).missing)).to.equal(1);
    expect(violations(judge([opened]).missing)).to.equal(1);
    expect(violations(judge([resolved, opened]).order)).to.equal(1);
  });

  it('sees a message that came twice: the same one is explained by a fault, another one by a failover only', () => {
    const same = [opened, message('opened', T0 + 3_000), resolved];
    const other = [opened, message('opened', T0 + 3_000, 'another'), resolved];
    expect(violations(judge(same).doubled)).to.equal(1);
    expect(explained(judge(same, [kill]).doubled)).to.equal(1);
    expect(violations(judge(other, [kill]).doubled)).to.equal(1);
    expect(explained(judge(other, [failover]).doubled)).to.equal(1);
  });

  it('sees a message about an incident that does not exist, unless a failover lost it', () => {
    expect(violations(judgeUnknownIncidents([opened], new Set(), [kill]))).to.equal(1);
    expect(explained(judgeUnknownIncidents([opened], new Set(), [failover]))).to.equal(1);
    expect(judgeUnknownIncidents([opened], new Set(['one']), []).findings).to.deep.equal([]);
  });
});

describe('the judge of changes', () => {
  const row = { name: 'Shop', intervalMs: MINUTE, status: 'enabled' };
  const write = { monitorId: 'm', sentMs: T0, answeredMs: T0 + 100, expected: row };

  it('sees a change that was answered and is not stored, and a deletion that did not happen', () => {
    expect(violations(judgeWrites([write], new Map(), []))).to.equal(1);
    expect(violations(judgeWrites([write], new Map([['m', { ...row, name: 'Former' }]]), []))).to.equal(1);
    expect(violations(judgeWrites([{ ...write, expected: null }], new Map([['m', row]]), []))).to.equal(1);
    expect(judgeWrites([write], new Map([['m', row]]), []).findings).to.deep.equal([]);
  });

  it('leaves out what had no answer, and explains a loss by a failover only', () => {
    expect(judgeWrites([write, { ...write, answeredMs: null }], new Map(), []).judged).to.equal(0);
    const failover = fault('failover from a killed primary', 'database', 'database', T0 + 2_000, T0 + 9_000);
    expect(explained(judgeWrites([write], new Map(), [failover]))).to.equal(1);
    const restart = fault('database restarted (immediate)', 'database', 'database', T0 + 2_000, T0 + 9_000);
    expect(violations(judgeWrites([write], new Map(), [restart]))).to.equal(1);
  });
});

describe('the judge of processes', () => {
  const samples = (bytesAMinute: number, handlesAMinute: number, minutes: number): Sample[] =>
    Array.from({ length: 12 * minutes }, (_, index) => ({
      process: 'agent',
      pid: 1,
      atMs: T0 + index * 5_000,
      // A sawtooth, as garbage collection makes it.
      rssBytes: 100 * 2 ** 20 + (index % 7) * 2 ** 20 + (index / 12) * bytesAMinute,
      handles: 40 + (index % 3) + Math.floor((index / 12) * handlesAMinute),
    }));
  const judge = (own: Sample[]) => {
    const [memory, handles] = judgeResources(own) as [Judgement, Judgement];
    return { memory, handles };
  };

  it('sees memory and handles that grow steadily, and no growth where there is only noise', () => {
    expect(violations(judge(samples(3 * 2 ** 20, 0, 20)).memory)).to.equal(1);
    expect(violations(judge(samples(0, 3, 20)).handles)).to.equal(1);
    const { memory, handles } = judge(samples(0, 0, 20));
    expect([...memory.findings, ...handles.findings]).to.deep.equal([]);
    expect(memory.judged).to.equal(1);
    expect(judge(samples(3 * 2 ** 20, 0, 5)).memory.judged, 'too short').to.equal(0);
    expect(slopeOf([0, 1, 2, 3, 4, 5].map((x) => [x, 2 * x] as const))).to.equal(2);
  });

  it('sees a queue that is not empty at the end', () => {
    const queue = (length: number, atMs: number) => ({ queue: 'deliveries', atMs, length });
    expect(violations(judgeQueues([queue(0, T0), queue(80, T0 + 1)], 50))).to.equal(1);
    expect(judgeQueues([queue(80, T0), queue(3, T0 + 1)], 50).findings).to.deep.equal([]);
  });

  it('sees a recovery that did not come, a refused stop, and a process that ended by itself', () => {
    const kill = fault('database killed', 'database', 'database', T0, T0 + 5_000);
    expect(violations(judgeRecovery([{ ...kill, recoveredMs: null }]))).to.equal(1);
    expect(judgeRecovery([kill]).findings).to.deep.equal([]);
    expect(violations(judgeReports([{ what: 'agent a1 did not end', atMs: T0 }]))).to.equal(1);
    const end = { process: 'control-plane-1', atMs: T0 + 1_000, how: '1', lastLines: '' };
    expect(violations(judgeEnds([end], []))).to.equal(1);
    expect(explained(judgeEnds([end], [kill]))).to.equal(1);
    expect(violations(judgeEnds([{ ...end, process: 'northeurope-1' }], [kill]))).to.equal(1);
  });
});
