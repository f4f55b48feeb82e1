import { expect } from 'chai';
import { dayNumberOf, decideDates } from './decide-dates.js';
import { parseRecurrence, type Recurrence } from './recurrence.js';

function ruleOf(text: string): Recurrence {
  const parsed = parseRecurrence(text);
  if ('faults' in parsed) throw new Error(parsed.faults.join());
  return parsed.rule;
}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const NUMBERED = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5]
  .flatMap((ordinal) => WEEKDAYS.map((day) => `${ordinal}${day}`))
  .slice(0, 60);

describe('The dates of a rule', () => {
  it('of the costliest rules, from 1970 to the end of the range of dates, end after ten years', () => {
    const rules = [
      'FREQ=DAILY;COUNT=10000',
      'FREQ=DAILY;INTERVAL=2;COUNT=10000',
      'FREQ=DAILY;BYMONTHDAY=29,30,31;BYDAY=MO;COUNT=10000',
      'FREQ=DAILY;INTERVAL=400;BYMONTHDAY=31;BYDAY=TU;COUNT=10000',
      'FREQ=DAILY;UNTIL=22001231',
      'FREQ=WEEKLY;INTERVAL=400;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=10000',
      `FREQ=MONTHLY;BYDAY=${NUMBERED.join(',')};COUNT=10000`,
      'FREQ=MONTHLY;BYMONTHDAY=-31;COUNT=10000',
      'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31;BYDAY=5MO,-5MO;COUNT=10000',
    ];
    for (const text of rules) {
      const rule = ruleOf(text);
      for (const from of ['1970-01-01', '2026-11-28', '2200-12-31']) {
        for (const start of ['1970-01-01', '1972-02-29']) {
          const [startDay, fromDay] = [dayNumberOf(start), dayNumberOf(from)];
          const days = [...decideDates(rule, startDay, fromDay)].map(({ day }) => day);
          expect(days, text).to.deep.equal(days.toSorted((a, b) => a - b));
          expect(
            days.every((day) => day >= fromDay && day < Math.max(startDay, fromDay) + 3_660),
            text,
          ).to.equal(true);
        }
      }
    }
  });

  it('count those before the day from which they are asked for', () => {
    const rule = ruleOf('FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31;COUNT=120');
    const [start, from] = [dayNumberOf('1970-01-31'), dayNumberOf('2026-11-28')];
    const all = [...decideDates(rule, start, start)];
    const later = [...decideDates(rule, start, from)];
    const fewer = all.filter(({ day }) => day >= from);
    expect(later.slice(0, fewer.length)).to.deep.equal(fewer);
    expect(later.at(-1)!.number).to.be.at.most(120);
  });
});
