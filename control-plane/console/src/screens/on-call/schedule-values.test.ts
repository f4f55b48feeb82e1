import { expect } from 'chai';
import fc from 'fast-check';
import type { TeamSchedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import { DAYS, daysText, layerText, newLayer, scheduleBody, valuesOf } from './schedule-values.js';

const LAYER: TeamSchedule['layers'][number] = {
  name: 'Nights',
  rotation: { unit: 'day', every: 2, handoffTime: '18:00', handoffDay: null },
  startDate: '2026-11-01',
  endDate: null,
  restrictions: [{ days: ['monday', 'tuesday', 'wednesday'], start: '18:00', end: '06:00' }],
  holidays: 'skip',
  participants: ['a', 'b'],
};
const SCHEDULE = {
  name: 'Primary',
  timezone: 'UTC',
  layers: [LAYER],
  holidays: ['2026-12-25'],
  holidayCalendarUrl: null,
} as unknown as TeamSchedule;

describe('the values of a schedule', () => {
  it('are sent as they were read', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('hour', 'day', 'week'),
        fc.constantFrom(...DAYS),
        fc.option(fc.constant('2027-01-01')),
        (unit, day, endDate) => {
          const rotation = { ...LAYER.rotation, unit, handoffDay: unit === 'week' ? day : null } as const;
          const schedule = { ...SCHEDULE, layers: [LAYER, { ...LAYER, rotation, endDate }] };
          const { name, timezone, layers, holidays } = schedule;
          const sent = { name, timezone, layers, holidays, holidayCalendarUrl: null };
          expect(scheduleBody(valuesOf(schedule, []))).to.deep.equal(sent);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('are those of the team where there is no layer, or nobody is left in it', () => {
    expect(valuesOf({ ...SCHEDULE, layers: [] }, ['c']).layers).to.deep.equal([newLayer(0, ['c'])]);
    expect(
      valuesOf({ ...SCHEDULE, layers: [{ ...LAYER, participants: [] }] }, ['c']).layers[0]!.participants,
    ).to.deep.equal(['c']);
    expect(scheduleBody({ ...valuesOf(SCHEDULE, []), layers: [newLayer(0, ['c'])] }).layers[0]).not.to.have.property(
      'startDate',
    );
  });

  it('have days of their own or a calendar', () => {
    const values = { ...valuesOf(SCHEDULE, []), holidayCalendarUrl: ' https://example.com/a.ics ' };
    expect(scheduleBody(values)).to.include({ holidayCalendarUrl: 'https://example.com/a.ics' });
    expect(scheduleBody(values).holidays).to.deep.equal([]);
  });

  it('have a sentence', () => {
    expect(layerText(LAYER)).to.equal('every 2 days at 18:00; 2 people; only Mon – Wed 18:00 – 06:00; not on holidays');
    expect(daysText(DAYS)).to.equal('every day');
    expect(daysText(['sunday', 'saturday'])).to.equal('Sat, Sun');
  });
});
