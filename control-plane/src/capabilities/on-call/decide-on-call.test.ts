import { expect } from 'chai';
import { decideNext, decideOnCall } from './decide-on-call.js';
import { simplePlan } from './simple-plan.js';

const at = (text: string) => Date.parse(`2026-01-${text}Z`);
const rotation = {
  rotation: 'daily' as const,
  timezone: 'UTC',
  handoffTime: '09:00',
  handoffDay: null,
  startDate: '2026-01-05',
  turns: ['ann', 'bob'],
};
const override = (userId: string, start: string, end: string) => ({ userId, startMs: at(start), endMs: at(end) });
const shown = ({ userId, source, startMs, endMs }: ReturnType<typeof decideOnCall>) => [
  userId,
  source,
  ...[startMs, endMs].map((ms) => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(8, 16) : null)),
];

describe('who is on call', () => {
  it('is nobody, without beginning or end, where nothing is planned', () => {
    const plan = simplePlan(null);
    const shift = decideOnCall(plan, at('06T00:00'));
    expect(shown(shift)).to.deep.equal([null, 'none', null, null]);
    expect(decideNext(plan, shift)).to.equal(null);
  });

  it('is the person of an override while it lasts, and the rotation continues underneath', () => {
    const plan = simplePlan(rotation, [override('eve', '06T12:00', '06T14:00')]);
    expect(shown(decideOnCall(plan, at('06T10:00')))).to.deep.equal(['bob', 'rotation', '06T09:00', '06T12:00']);
    expect(shown(decideOnCall(plan, at('06T12:00')))).to.deep.equal(['eve', 'override', '06T12:00', '06T14:00']);
    expect(shown(decideOnCall(plan, at('06T14:00')))).to.deep.equal(['bob', 'rotation', '06T14:00', '07T09:00']);
    expect(decideNext(plan, decideOnCall(plan, at('06T12:00')))).to.deep.equal({ userId: 'bob', atMs: at('06T14:00') });
  });

  it('is the person of the latest created of two overrides; the other one keeps the rest', () => {
    const [later, earlier] = [override('eve', '06T12:00', '06T14:00'), override('fay', '06T08:00', '06T20:00')];
    const plan = simplePlan(rotation, [later, earlier]);
    expect(shown(decideOnCall(plan, at('06T11:00')))).to.deep.equal(['fay', 'override', '06T08:00', '06T12:00']);
    expect(shown(decideOnCall(plan, at('06T13:00')))).to.deep.equal(['eve', 'override', '06T12:00', '06T14:00']);
    expect(shown(decideOnCall(plan, at('06T15:00')))).to.deep.equal(['fay', 'override', '06T14:00', '06T20:00']);
    const swapped = simplePlan(rotation, [earlier, later]);
    expect(shown(decideOnCall(swapped, at('06T13:00')))).to.deep.equal(['fay', 'override', '06T08:00', '06T20:00']);
  });

  it('can be an override before the rotation starts, and names the next person after a time without anybody', () => {
    const plan = simplePlan(rotation, [override('eve', '02T00:00', '03T00:00')]);
    const before = decideOnCall(plan, at('01T00:00'));
    expect(shown(before)).to.deep.equal([null, 'none', null, '02T00:00']);
    expect(decideNext(plan, before)).to.deep.equal({ userId: 'eve', atMs: at('02T00:00') });
    const during = decideOnCall(plan, at('02T12:00'));
    expect(decideNext(plan, during)).to.deep.equal({ userId: 'ann', atMs: at('05T09:00') });
    expect(shown(decideOnCall(plan, at('04T00:00')))).to.deep.equal([null, 'none', '03T00:00', '05T09:00']);
  });
});
