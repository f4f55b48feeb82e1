import { expect } from 'chai';
import fc from 'fast-check';
import { weeksOf } from '../data/days.js';
import { dateText, dayByKey, isWhole, readDate } from './date-text.js';

const TODAY = '2026-11-22';
const day = (text: string) => readDate('date', text, TODAY);
const time = (text: string) => readDate('time', text, TODAY);
const moment = (text: string, former?: string) => readDate('datetime-local', text, TODAY, former);
const DAYS = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('A typed date', () => {
  it('is read in the ways that people write it, with the day before the month', () => {
    for (const text of [
      '22 Nov 2026',
      '22 november 2026',
      '22/11/2026',
      '22.11.2026',
      '2026-11-22',
      ' 22 Nov ',
      'today',
    ])
      expect(day(text), text).to.equal('2026-11-22');
    expect(day('3 Sept 2027')).to.equal('2027-09-03');
    expect(day('tomorrow')).to.equal('2026-11-23');
    for (const text of ['', 'soon', '30 Feb 2026', '11/22/2026', '22 Nov 26', '22', '1 2 3'])
      expect(day(text), text).to.equal(undefined);
  });

  it('has a time of 24 hours, however it is written', () => {
    expect(['9', '9:30', '21.05', '9 pm', '12am', '09:00'].map(time)).to.deep.equal([
      '09:00',
      '09:30',
      '21:05',
      '21:00',
      '00:00',
      '09:00',
    ]);
    for (const text of ['', '24:00', '9:60', '13pm', '22 Nov 9:00', 'noon'])
      expect(time(text), text).to.equal(undefined);
  });

  it('keeps its time where only another day is typed', () => {
    expect(moment('24 Nov 2026, 10:00')).to.equal('2026-11-24T10:00');
    expect(moment('2026-11-24T10:30')).to.equal('2026-11-24T10:30');
    expect(moment('tomorrow at 9 pm')).to.equal('2026-11-23T21:00');
    expect(moment('24 Nov 2026', '2026-11-22T10:00')).to.equal('2026-11-24T10:00');
    expect(moment('24 Nov 2026')).to.equal('2026-11-24T00:00');
    for (const text of ['', '10:00', '24 Nov 2026, 25:00', '24 Nov 2026 10'])
      expect(moment(text), text).to.equal(undefined);
  });

  it('is shown in the format of the console, and read again as it is shown', () => {
    expect(dateText('2026-11-22T10:05')).to.equal('22 Nov 2026, 10:05');
    expect(['', 'soon', '10:00'].map(dateText)).to.deep.equal(['', 'soon', '10:00']);
    fc.assert(
      fc.property(DAYS, fc.nat(1_439), (date, minute) => {
        const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
        expect(day(dateText(date))).to.equal(date);
        expect(moment(dateText(`${date}T${clock}`))).to.equal(`${date}T${clock}`);
        expect(isWhole(dateText(date)) && isWhole(dateText(`${date}T${clock}`))).to.equal(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('The calendar of a date', () => {
  it('has whole weeks from Monday on, with every day of the month once', () => {
    fc.assert(
      fc.property(DAYS, (date) => {
        const days = weeksOf(date).flat();
        expect(days.length % 7).to.equal(0);
        expect(new Date(days[0]!).getUTCDay()).to.equal(1);
        expect(days).to.include(date);
        expect(days).to.deep.equal([...new Set(days)].toSorted());
      }),
      { numRuns: 50 },
    );
  });

  it('is walked by arrows, Home, End, Page Up and Page Down', () => {
    const by = (key: string, isShift = false) => dayByKey(key, isShift, '2026-03-31');
    expect(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => by(key))).to.deep.equal([
      '2026-03-30',
      '2026-04-01',
      '2026-03-24',
      '2026-04-07',
    ]);
    expect([by('Home'), by('End')]).to.deep.equal(['2026-03-30', '2026-04-05']);
    expect([by('PageUp'), by('PageDown')]).to.deep.equal(['2026-02-28', '2026-04-30']);
    expect([by('PageUp', true), dayByKey('PageDown', true, '2028-02-29')]).to.deep.equal(['2025-03-31', '2029-02-28']);
    expect(by('Enter')).to.equal(undefined);
  });
});
