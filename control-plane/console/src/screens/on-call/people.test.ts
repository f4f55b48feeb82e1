import { expect } from 'chai';
import { colourOf, gapSentence, lanesOf, peopleFirst, shiftsOf } from './people.js';

describe('members to choose from', () => {
  it('are people first, in the order given', () => {
    const [client, ann, bob] = [null, 'ann@example.test', 'bob@example.test'].map((email) => ({ email }));
    expect(peopleFirst([client!, ann!, bob!])).to.deep.equal([ann, bob, client]);
  });
});

describe('shifts of people', () => {
  it('puts gaps between the shifts around them', () => {
    const user = { userId: 'u1', name: 'Ada', email: null };
    const [first, second, third] = shiftsOf({
      teamId: 't1',
      teamName: 'Web',
      planRestricted: false,
      shifts: [
        { user, isMine: true, source: 'rotation', start: '2026-11-20T09:00:00Z', end: '2026-11-21T09:00:00Z' },
        { user, isMine: true, source: 'override', start: '2026-11-22T09:00:00Z', end: '2026-11-23T09:00:00Z' },
      ],
      gaps: [{ start: '2026-11-21T09:00:00Z', end: '2026-11-22T09:00:00Z' }],
    });
    expect([first!.person, second!.person, third!.isOverride]).to.deep.equal([user, null, true]);
  });

  it('are in a lane of their own for each schedule, the oldest first', () => {
    const [start, end] = ['2026-11-20T09:00:00Z', '2026-11-21T09:00:00Z'];
    const gapOf = (scheduleId: string) => ({ scheduleId, scheduleName: scheduleId.toUpperCase(), start, end });
    const team = { teamId: 't1', teamName: 'Web', planRestricted: false, shifts: [], gaps: [gapOf('b'), gapOf('a')] };
    expect(
      lanesOf(team, -Infinity).map(({ teamName, isFirst, shifts }) => [teamName, isFirst, shifts.length]),
    ).to.deep.equal([
      ['Web, A', true, 1],
      ['Web, B', false, 1],
    ]);
  });

  it('leaves out gaps before the team was made', () => {
    const createdMs = Date.parse('2026-11-10T12:00:00Z');
    const before = { start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z' };
    const around = { start: '2026-11-10T00:00:00Z', end: '2026-11-11T00:00:00Z' };
    const team = { teamId: 't1', teamName: 'Web', planRestricted: false, shifts: [], gaps: [before, around] };
    const left = shiftsOf(team, createdMs).map(({ startMs, endMs }) => [startMs, endMs]);
    expect(left).to.deep.equal([[createdMs, Date.parse(around.end)]]);
    expect(shiftsOf(team)).to.have.length(2);
  });

  it('names what happens in a gap, and nobody who does not hear', () => {
    expect(gapSentence(['Ada', 'Bob'], false)).to.equal('An incident then pages the leads at once: Ada, Bob.');
    expect(gapSentence([], false)).to.include('pages nobody');
    expect(gapSentence(['Ada'], true)).to.include('pages nobody');
    expect(gapSentence(undefined, false)).to.equal('');
  });

  it('gives each person one of eight colours', () => {
    for (const id of ['', 'a', '01987f6e-7000-7000-8000-000000000001']) expect(colourOf(id)).to.be.within(1, 8);
  });
});
