import { expect } from 'chai';
import { stateSentence, type Sentenced } from './state-sentence.js';

const monitor = (healthStatus: Sentenced['healthStatus'], statuses: string[], more: object = {}) =>
  ({
    monitoringStatus: 'enabled',
    healthStatus,
    regions: statuses.map((status, index) => ({ region: ['ie', 'us', 'jp'][index]!, status, lastChecked: null })),
    latestIncident: null,
    latestTestResult: null,
    lastChecked: '2026-11-22T12:00:00Z',
    checkInterval: 'PT5M',
    heartbeat: null,
    monitorTypes: ['HttpAvailability'],
    ...more,
  }) as unknown as Sentenced;
const sentence = (...given: Parameters<typeof monitor>) =>
  stateSentence(monitor(...given), (region) => region.toUpperCase(), Date.parse('2026-11-22T12:20:00Z'));
const incident = (ended: string | null) => ({ latestIncident: { ended, failureReason: 'The server refused.' } });

describe('The sentence about a monitor', () => {
  it('is about reports where the job itself reports', () => {
    const heartbeat = { lastPing: '2026-11-22T12:00:00Z', expectedBy: '2026-11-22T13:05:00Z' };
    expect(sentence(null, [], { heartbeat: { lastPing: null, expectedBy: null } })).to.equal(
      'Waiting for the first report.',
    );
    expect(sentence(null, [], { heartbeat })).to.match(/nobody can know whether the job ran/);
    expect(sentence('available', [], { heartbeat })).to.match(/^Reported in time\. .* expected by 22 Nov/);
    expect(sentence('unavailable', [], { heartbeat, ...incident(null) })).to.equal('Down: The server refused.');
  });

  it('is never green without a fresh result', () => {
    expect(sentence(null, ['awaitingFirstChecks'], { lastChecked: null })).to.equal('Waiting for the first check.');
    expect(sentence(null, ['stale', 'awaitingFirstChecks'])).to.match(/^No region has a fresh result/);
    const failed = { lastChecked: '2026-11-22T12:19:00Z', latestTestResult: { failureReason: 'It refused.' } };
    expect(sentence(null, ['awaitingFirstChecks'], failed)).to.equal(
      'First failure, confirming with the next check: It refused.',
    );
    expect(sentence('available', ['available'], { monitoringStatus: 'paused' })).to.match(/^Paused: nothing/);
  });

  it('names what is seen from where', () => {
    expect(sentence('available', ['available'])).to.equal('Available from IE.');
    expect(sentence('available', ['available', 'available'])).to.equal('Available from all 2 regions.');
    expect(sentence('available', ['available', 'available', 'stale'])).to.equal(
      'Available from 2 of 3 regions. No fresh result from JP.',
    );
  });

  it('names the step that fails, while it goes on and before it is confirmed', () => {
    const failureReason = 'Step “Sign in”: The server answered with status 500.';
    const latestIncident = { ended: null, failureReason };
    const steps = [{ name: 'Sign in', wasAvailable: false }];
    const latest = { lastChecked: '2026-11-22T12:19:00Z', latestTestResult: { failureReason, steps } };
    expect(sentence('unavailable', ['unavailable'], { latestIncident })).to.equal(`Down in IE: ${failureReason}`);
    expect(sentence('degraded', ['available', 'unavailable'], latest)).to.equal(
      `Down in US, available in IE: ${failureReason}`,
    );
    expect(sentence(null, ['awaitingFirstChecks'], latest)).to.equal(
      `First failure, confirming with the next check: ${failureReason}`,
    );
  });

  it('contains the reason of what goes on, and not that of a former incident', () => {
    const regions = ['unavailable', 'unavailable'];
    expect(sentence('unavailable', regions, incident(null))).to.equal('Down in all 2 regions: The server refused.');
    expect(sentence('unavailable', regions, incident('2026-11-22T20:00:00Z'))).to.equal('Down in all 2 regions.');
    expect(sentence('degraded', ['available', 'unavailable'], incident(null))).to.equal(
      'Down in US, available in IE: The server refused.',
    );
    expect(sentence('degraded', ['available'], incident(null))).to.equal(
      'Available, with a warning: The server refused.',
    );
  });

  it('names no place where it is available if there is none: a fault of a certificate or a name only degrades', () => {
    expect(sentence('degraded', ['unavailable'], incident(null))).to.equal('Degraded in IE: The server refused.');
    expect(sentence('degraded', ['unavailable', 'unavailable'], incident(null))).to.equal(
      'Degraded in all 2 regions: The server refused.',
    );
    expect(sentence('degraded', ['unavailable', 'stale'], incident(null))).to.equal(
      'Degraded in IE: The server refused. No fresh result from US.',
    );
  });
});
