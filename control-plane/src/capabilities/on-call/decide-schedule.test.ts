import { expect } from 'chai';
import { decideSchedule, type ScheduleSettings } from './decide-schedule.js';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const before: ScheduleSettings = {
  rotation: 'weekly',
  timezone: 'Europe/Dublin',
  handoffTime: '08:30',
  handoffDay: 'friday',
  startDate: '2026-01-02',
  turns: ['ann', null, 'cyd'],
};

describe('the change of a schedule', () => {
  it('gives a first schedule its defaults', () => {
    expect(decideSchedule(null, { rotation: 'weekly', participants: ['ann'] }, nowMs).settings).to.deep.equal({
      rotation: 'weekly',
      timezone: 'UTC',
      handoffTime: '09:00',
      handoffDay: 'saturday',
      startDate: '2026-11-21',
      turns: ['ann'],
    });
  });

  it('keeps the fields that are not named', () => {
    expect(decideSchedule(before, {}, nowMs).settings).to.deep.equal(before);
    expect(decideSchedule(before, { handoffTime: '10:00' }, nowMs).settings).to.deep.equal({
      ...before,
      handoffTime: '10:00',
    });
  });

  it('forgets the handoff day of a rotation that becomes daily', () => {
    expect(decideSchedule(before, { rotation: 'daily' }, nowMs).settings!.handoffDay).to.equal(null);
  });

  it('names all faults at once', () => {
    const { faults } = decideSchedule(null, { rotation: 'daily', handoffDay: 'monday' }, nowMs);
    expect(faults!.map(({ path }) => path)).to.deep.equal(['participants', 'handoffDay']);
    const doubled = decideSchedule(null, { participants: ['ann', 'bob', 'ann'] }, nowMs);
    expect(doubled.faults!.map(({ path }) => path)).to.deep.equal(['rotation', 'participants.2']);
  });
});
