import { expect } from 'chai';
import { type Run, waterfallOf } from './waterfall-rows.js';

const PHASES = { dns: 0, connect: 1, tls: 0, firstByte: 8, transfer: 1 };
const NOT_RUN = { wasAvailable: null, statusCode: null, responseTime: null, phases: null, failureReason: null };
const step = (name: string, values: object = {}) => ({
  name,
  ...NOT_RUN,
  wasAvailable: true,
  statusCode: 200,
  responseTime: 10,
  phases: PHASES,
  ...values,
});
const FAULT = { wasAvailable: false, failureReason: 'Step “log in”: no.' };
const run = (values: object): Run => ({
  wasAvailable: true,
  statusCode: 204,
  responseTime: 30,
  failureReason: null,
  ...values,
});
const shown = (of: Run, always: string[] = []) =>
  waterfallOf(of, new Set(always)).map(({ name, state, fromMs, ms }) => `${name.slice(-7)} ${state} ${fromMs}+${ms}`);

describe('The waterfall of a run', () => {
  it('begins with the monitor’s own request, which has what the steps leave of the whole', () => {
    const phases = { auth: 0, dns: 2, connect: 3, tls: 0, firstByte: 20, transfer: 5 };
    const steps = [step('log in'), step('account')];
    expect(shown(run({ steps }))).to.deep.equal(['request worked 0+10', 'log in worked 10+10', 'account worked 20+10']);
    const [own] = waterfallOf(run({ steps, phases }), new Set());
    const { auth: _, ...stored } = phases;
    expect(waterfallOf(run({ steps, phases: stored }), new Set())[0]!.phases).to.deep.equal({
      dns: 2,
      connect: 1,
      tls: 0,
      firstByte: 4,
      transfer: 3,
    });
    expect(own!.phases).to.deep.equal({ auth: 0, dns: 2, connect: 1, tls: 0, firstByte: 4, transfer: 3 });
  });

  it('ends at the failed step, behind which only those run that always do, in no time of the whole', () => {
    const steps = [step('log in', FAULT), step('account', { ...NOT_RUN }), step('log out')];
    const failed = run({ ...FAULT, responseTime: 25, steps });
    expect(shown(failed, ['log out'])).to.deep.equal([
      'request worked 0+15',
      'log in failed 15+10',
      'account notRun 25+0',
      'log out worked 25+10',
    ]);
    expect(waterfallOf(failed, new Set(['log out'])).map(({ reason }) => reason)).to.deep.equal([
      null,
      FAULT.failureReason,
      null,
      null,
    ]);
  });

  it('shows the failure of the monitor’s own request at that', () => {
    const steps = [step('log in', NOT_RUN), step('log out', FAULT)];
    const failed = run({ wasAvailable: false, failureReason: 'It refused.', responseTime: 25, steps });
    const [own, , last] = waterfallOf(failed, new Set(['log out']));
    expect(own).to.include({ state: 'failed', reason: 'It refused.', statusCode: 204, ms: 25 });
    expect(last).to.include({ state: 'failed', reason: FAULT.failureReason });
  });

  it('has a failed step that changes no verdict, and one that is not known', () => {
    const steps = [step('clean up', FAULT), step('log in', { wasAvailable: null })];
    expect(shown(run({ steps }), ['clean up'])[1]).to.equal('lean up failed 10+10');
    expect(shown(run({ steps, wasAvailable: null }), ['clean up'])).to.deep.equal([
      'request worked 0+10',
      'lean up failed 10+10',
      'log in unknown 20+10',
    ]);
  });
});
