import { expect } from 'chai';
import { readHolidays } from './read-holidays.js';

const event = (...lines: string[]) => ['BEGIN:VEVENT', 'SUMMARY:Day', ...lines, 'END:VEVENT'].join('\r\n');
const calendar = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
const read = (...events: string[]) => readHolidays(calendar(...events), '2026-01-01', '2028-12-31');

describe('readHolidays', () => {
  it('takes the days of events without a time of day, each once and in order', () => {
    const days = read(
      event('UID:b', 'DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227'),
      event('UID:a', 'DTSTART;VALUE=DATE:20260317'),
      event('UID:c', 'DTSTART;VALUE=DATE:20261225', 'DURATION:P1D'),
      event('UID:d', 'DTSTART:20260601T090000Z', 'DTEND:20260601T100000Z'),
      event('UID:h', 'DTSTART;VALUE=DATE:20269901'),
      event('UID:e', 'DTSTART;VALUE=DATE:20260701', 'STATUS:CANCELLED'),
      event('UID:f', 'DTSTART;VALUE=DATE:20251231', 'DTEND;VALUE=DATE:20260102'),
      event('UID:g', 'DTSTART;VALUE=DATE:20281231', 'DTEND;VALUE=DATE:99990101'),
    );
    expect(days).to.deep.equal({
      days: ['2026-01-01', '2026-03-17', '2026-12-24', '2026-12-25', '2026-12-26', '2028-12-31'],
    });
  });

  it('expands events that are repeated, without those that are left out or moved', () => {
    const days = read(
      event('UID:a', 'DTSTART;VALUE=DATE:20001225', 'RRULE:FREQ=YEARLY', 'EXDATE;VALUE=DATE:20271225'),
      event('UID:b', 'DTSTART;VALUE=DATE:20001123', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;UNTIL=20271231'),
      event('UID:b', 'RECURRENCE-ID;VALUE=DATE:20261126', 'DTSTART;VALUE=DATE:20261127'),
      event('UID:c', 'DTSTART;VALUE=DATE:20260105', 'DUR', ' ATION:P2D', 'BEGIN:VALARM', 'DURATION:P9D', 'END:VALARM'),
    );
    expect(days).to.deep.equal({
      days: ['2026-01-05', '2026-01-06', '2026-11-27', '2026-12-25', '2027-11-25', '2028-12-25'],
    });
  });

  it('passes over the times of day of a rule, each of which would be an occurrence', () => {
    const rule = 'RRULE:FREQ=YEARLY;INTERVAL=2;BYHOUR=9,10;BYMINUTE=1,2;BYSECOND=3,4';
    expect(read(event('DTSTART;VALUE=DATE:20260105', rule))).to.deep.equal({ days: ['2026-01-05', '2028-01-05'] });
  });

  it('leaves out and moves days that are named one by one, and those of an event that is not repeated', () => {
    const days = read(
      event('UID:a', 'DTSTART;VALUE=DATE:20260105', 'RDATE;VALUE=DATE:20260106,20260107', 'EXDATE;VALUE=DATE:20260106'),
      event('UID:a', 'RECURRENCE-ID;VALUE=DATE:20260107', 'DTSTART;VALUE=DATE:20260108'),
      event('UID:a', 'RECURRENCE-ID;VALUE=DATE:20260105', 'DTSTART;VALUE=DATE:20260105', 'SUMMARY:Renamed'),
    );
    expect(days).to.deep.equal({ days: ['2026-01-05', '2026-01-08'] });
  });

  it('takes a byte order mark, and texts with separators of lines', () => {
    const text = calendar(event('DTSTART;VALUE=DATE:20260105', 'DESCRIPTION:a\u2028b\u2029c\rd'));
    expect(readHolidays(`\uFEFF${text}`, '2026-01-01', '2028-12-31')).to.deep.equal({ days: ['2026-01-05'] });
  });

  it('has a fault for what is no calendar, and for one that is too large', () => {
    for (const text of ['', '<html>', '{}', 'BEGIN:VCARD\r\nEND:VCARD', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n'])
      expect(readHolidays(text, '2026-01-01', '2028-12-31').fault, text).to.match(/^is no calendar/);
    const daily = event('UID:a', 'DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY');
    expect(read(daily).fault).to.equal('has more than 400 holidays from 2026-01-01 to 2028-12-31');
    const many = Array.from({ length: 5_001 }, () => event('DTSTART;VALUE=DATE:20260101'));
    expect(read(...many).fault).to.equal('has more than 5000 events');
    for (const rule of [
      'FREQ=EVER',
      'FREQ=SECONDLY',
      'FREQ=YEARLY;BYDAY=XX',
      'INTERVAL=0;FREQ=DAILY',
      'FREQ=DAILY;INTERVAL=-1',
    ])
      expect(read(event('DTSTART;VALUE=DATE:20260101', `RRULE:${rule}`)).fault, rule).to.match(/cannot be read/);
  });
});
