import { expect } from 'chai';
import { decideSchedule, simpleRotationOf, type SimpleRotation } from './decide-schedule.js';
import type { ScheduleInput } from './schedule-schemas.js';
import { simplePlan } from './simple-plan.js';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const before: SimpleRotation = {
  rotation: 'weekly',
  timezone: 'Europe/Dublin',
  handoffTime: '08:30',
  handoffDay: 'friday',
  startDate: '2026-01-02',
  turns: ['ann', null, 'cyd'],
};

function changed(former: SimpleRotation | null, input: ScheduleInput): SimpleRotation | null {
  const { layers, faults } = decideSchedule(former && simplePlan(former), input, nowMs);
  expect(faults).to.equal(null);
  return simpleRotationOf(layers!);
}

describe('the change of a schedule', () => {
  it('gives a first schedule its defaults', () => {
    expect(changed(null, { rotation: 'weekly', participants: ['ann'] })).to.deep.equal({
      rotation: 'weekly',
      timezone: 'UTC',
      handoffTime: '09:00',
      handoffDay: 'saturday',
      startDate: '2026-11-21',
      turns: ['ann'],
    });
  });

  it('keeps the fields that are not named', () => {
    expect(changed(before, {})).to.deep.equal(before);
    expect(changed(before, { handoffTime: '10:00' })).to.deep.equal({
      ...before,
      handoffTime: '10:00',
    });
  });

  it('forgets the handoff day of a rotation that becomes daily', () => {
    expect(changed(before, { rotation: 'daily' })!.handoffDay).to.equal(null);
  });

  it('names all faults at once', () => {
    const { faults } = decideSchedule(null, { rotation: 'daily', handoffDay: 'monday' }, nowMs);
    expect(faults!.map(({ path }) => path)).to.deep.equal(['participants', 'handoffDay']);
    const doubled = decideSchedule(null, { participants: ['ann', 'bob', 'ann'] }, nowMs);
    expect(doubled.faults!.map(({ path }) => path)).to.deep.equal(['rotation', 'participants.2']);
  });
});
