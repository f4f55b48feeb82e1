import { expect } from 'chai';
import fc from 'fast-check';
import { parseDuration } from '@watchpost/shared/duration';
import { changedRules, type GroupRules, wholeRules } from '../../group-settings/index.js';
import { hoursBeginAt } from './decide-hours.js';
import { decideDueWait, decideNotice, type Notice } from './decide-notice.js';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const severity = fc.constantFrom('down', 'partial', 'warning');
const rules: fc.Arbitrary<GroupRules> = fc.record({
  severities: fc.uniqueArray(severity, { minLength: 1 }),
  delay: fc.constantFrom('PT0S', 'PT5M', 'PT2H'),
  hours: fc.option(
    fc.record({
      timezone: fc.constantFrom('UTC', 'Asia/Tokyo'),
      days: fc.uniqueArray(fc.constantFrom('monday', 'tuesday', 'sunday'), { minLength: 1 }),
      start: fc.constantFrom('09:00', '13:00', '22:00'),
      end: fc.constantFrom('06:00', '12:30', '17:00'),
      outside: fc.constantFrom('hold', 'drop'),
    }),
  ),
  repeatEvery: fc.constantFrom(null, 'PT15M', 'P1D'),
  digestAfter: fc.constant(null),
  template: fc.constant(null),
});
const notice: fc.Arbitrary<Notice> = fc
  .record({
    type: fc.constantFrom<Notice['type'][]>(
      'incident.opened',
      'incident.acknowledged',
      'incident.updated',
      'incident.resolved',
      'incident.note_added',
      'monitor.certificate_expiring',
      'monitor.dns_changed',
    ),
    atMs: fc.integer({ min: NOW - 60_000, max: NOW }),
    severity,
    isAcknowledged: fc.boolean(),
    isEnd: fc.boolean(),
    isMinor: fc.boolean(),
    isReminder: fc.boolean(),
    isHeard: fc.boolean(),
    hasWaited: fc.boolean(),
  })
  .map((one) => {
    const isOfIncident = one.type.startsWith('incident.');
    const isUpdate = one.type === 'incident.updated';
    return {
      ...one,
      isOfIncident,
      isHeard: one.isHeard && one.type !== 'incident.opened',
      isEnd: one.type === 'incident.resolved' || (isUpdate && one.isEnd),
      isMinor: isUpdate && one.isMinor,
      isReminder: isUpdate && one.isReminder,
      hasWaited: one.type === 'incident.opened' && one.hasWaited,
    };
  });

describe('The rules of an action group', () => {
  it('send everything at once by default', () => {
    fc.assert(
      fc.property(notice, (one) => {
        fc.pre(!one.isOfIncident || one.isHeard || one.type === 'incident.opened');
        expect(decideNotice(wholeRules({}), one, NOW)).to.deep.equal({ kind: 'send', repeatMs: null });
      }),
    );
  });

  it('send an event only where every rule allows it, and let it wait for no longer than a rule states', () => {
    fc.assert(
      fc.property(rules, notice, (given, one) => {
        const decision = decideNotice(given, one, NOW);
        const beginMs = hoursBeginAt(given.hours, NOW);
        const isFirst = one.isOfIncident && !one.isHeard;
        if (decision.kind === 'send') {
          expect(beginMs, 'within hours').to.equal(null);
          expect(one.isEnd || given.severities.includes(one.severity)).to.equal(true);
          expect(isFirst && one.isEnd, 'an end of what nobody heard of').to.equal(false);
          expect(isFirst && !one.hasWaited && given.delay !== 'PT0S', 'before the delay').to.equal(false);
          if (decision.repeatMs !== null) expect(one.isAcknowledged || one.isEnd || one.isMinor).to.equal(false);
        }
        if (decision.kind === 'drop') expect(given.hours?.outside).to.equal('drop');
        if (decision.kind === 'wait' && decision.reason === 'held') expect(decision.dueMs).to.equal(beginMs);
        if (decision.kind === 'wait' && decision.reason === 'first')
          expect([one.atMs + parseDuration(given.delay)!, beginMs]).to.include(decision.dueMs);
        if (decision.kind === 'wait')
          expect(given.hours?.outside === 'drop' && decision.dueMs === beginMs).to.equal(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('notify after a delay only of what is open and not acknowledged', () => {
    const delayed = wholeRules({ delay: 'PT5M' });
    const first = { reason: 'first', isOpen: true, isAcknowledged: false } as const;
    expect(decideDueWait(delayed, first, NOW).notify).to.equal(true);
    expect(decideDueWait(delayed, { ...first, isAcknowledged: true }, NOW).notify).to.equal(false);
    expect(decideDueWait(delayed, { ...first, isOpen: false }, NOW).notify).to.equal(false);
    const held = wholeRules({});
    expect(decideDueWait(held, { ...first, isAcknowledged: true }, NOW).notify, 'held for its hours').to.equal(true);
  });

  it('repeat within hours only, until the incident is acknowledged or over', () => {
    const hourly = wholeRules({ repeatEvery: 'PT1H' });
    const repeat = { reason: 'repeat', isOpen: true, isAcknowledged: false } as const;
    expect(decideDueWait(hourly, repeat, NOW)).to.deep.equal({ notify: true, againMs: NOW + 3_600_000 });
    expect(decideDueWait(hourly, { ...repeat, isAcknowledged: true }, NOW).againMs).to.equal(null);
    expect(decideDueWait(hourly, { ...repeat, isOpen: false }, NOW).againMs).to.equal(null);
    const hours = {
      timezone: 'UTC',
      days: ['tuesday' as const],
      start: '09:00',
      end: '17:00',
      outside: 'hold' as const,
    };
    expect(decideDueWait({ ...hourly, hours }, repeat, NOW)).to.deep.equal({
      notify: false,
      againMs: Date.parse('2026-11-24T09:00:00Z'),
    });
  });

  it('store only what differs from the default', () => {
    expect(changedRules({ delay: 'PT5M' }, { name: 'Team', delay: 'PT0S', digestAfter: 3 })).to.deep.equal({
      digestAfter: 3,
    });
    expect(changedRules({ delay: 'PT5M' }, { severities: ['down', 'partial', 'warning'] })).to.deep.equal({
      delay: 'PT5M',
    });
  });
});
