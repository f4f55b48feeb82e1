import { expect } from 'chai';
import { monthlyChoices, readRepeat, repeatText, ruleOf } from './repeat.js';

const WORDS: Readonly<Record<string, string>> = {
  'FREQ=DAILY': 'Every day',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=10': 'Every 2 weeks on Monday and Friday, 10 times',
  'FREQ=WEEKLY;BYDAY=SU;UNTIL=20270328': 'Every week on Sunday, until 28 March 2027',
  'FREQ=MONTHLY;BYDAY=-1SU;COUNT=1': 'Every month on the last Sunday, 1 time',
  'FREQ=MONTHLY;BYMONTHDAY=14': 'Every month on day 14',
  'FREQ=MONTHLY;BYMONTHDAY=-1': 'Every month on the last day',
};

describe('The recurrence of a maintenance window', () => {
  it('has words, and the fields of the form give the same rule', () => {
    for (const [rule, words] of Object.entries(WORDS)) {
      expect(repeatText(rule)).to.equal(words);
      expect(ruleOf(readRepeat(rule)!)).to.equal(rule);
    }
    expect(repeatText(null)).to.equal('Once');
  });

  it('is shown as a rule where the form has no field for it', () => {
    for (const rule of ['FREQ=MONTHLY;BYDAY=1MO,3MO', 'FREQ=DAILY;BYDAY=MO', 'FREQ=WEEKLY;UNTIL=20270328T020000Z'])
      expect(repeatText(rule)).to.equal(`By the rule ${rule}`);
  });

  it('is shown as a rule where its last day is none', () => {
    for (const until of ['20271332', '20270230', '2027-3-28', '', 'soon'])
      expect(repeatText(`FREQ=DAILY;UNTIL=${until}`)).to.equal(`By the rule FREQ=DAILY;UNTIL=${until}`);
  });

  it('names its days in the order of the week', () => {
    const repeat = readRepeat('FREQ=WEEKLY')!;
    expect(ruleOf({ ...repeat, days: ['SU', 'TU'] })).to.equal('FREQ=WEEKLY;BYDAY=TU,SU');
  });

  it('offers the monthly days that the start is', () => {
    expect(monthlyChoices('2027-03-14T02:00').map(({ label }) => label)).to.deep.equal([
      'on day 14',
      'on the second Sunday',
    ]);
    expect(monthlyChoices('2027-02-28T02:00').map(({ value }) => value)).to.deep.equal(['', '-1', '4SU', '-1SU']);
    expect(monthlyChoices('')).to.deep.equal([]);
  });
});
