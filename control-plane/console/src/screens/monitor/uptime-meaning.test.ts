import { expect } from 'chai';
import type { MonitorType } from '@watchpost/shared/monitor-types';
import { uptimeMeaning } from './uptime-meaning.js';

const facts = {
  totalChecks: 1_440,
  unhealthyChecks: 2,
  periodStart: '2026-11-21T12:00:00Z',
  periodEnd: '2026-11-22T12:00:00Z',
  monitorTypes: ['HttpAvailability', 'SslCertificate'] as MonitorType[],
  uptimePercentage: 99,
  created: '2026-10-01T00:00:00Z',
};

describe('The uptime of a range', () => {
  it('has the checks that it is made of', () => {
    expect(uptimeMeaning(facts)).to.equal('1,440 checks, 2 checks failed.');
    expect(uptimeMeaning({ ...facts, unhealthyChecks: 0 })).to.equal('1,440 checks, none failed.');
    expect(uptimeMeaning({ ...facts, totalChecks: 0 })).to.equal('No conclusive checks in this range.');
  });

  it('does not exist where only a certificate, a name or a domain is checked', () => {
    for (const types of [['SslCertificate'], ['SslCertificate', 'Dns'], ['Domain']] as MonitorType[][])
      expect(uptimeMeaning({ ...facts, totalChecks: 0, monitorTypes: types }), String(types)).to.equal(
        'Certificates, names and domains have no availability; their faults are incidents.',
      );
  });

  it('is of the checks that were counted before the types were changed', () => {
    expect(uptimeMeaning({ ...facts, monitorTypes: ['Dns'] })).to.equal('1,440 checks, 2 checks failed.');
  });

  it('is of time, not of checks, where the job itself reports', () => {
    const heartbeat = { monitorTypes: ['Heartbeat'] as MonitorType[] };
    expect(uptimeMeaning({ ...facts, ...heartbeat })).to.equal('Of the time in which its state was known.');
    expect(uptimeMeaning({ ...facts, ...heartbeat, uptimePercentage: null })).to.equal('Its state was never known.');
  });

  it('shows how much of the range it covers where the monitor is younger', () => {
    expect(uptimeMeaning({ ...facts, created: '2026-11-22T10:00:00Z' })).to.match(
      /^1,440 checks, 2 checks failed\. Monitored since .*\d\d:\d\d\.$/,
    );
  });
});
