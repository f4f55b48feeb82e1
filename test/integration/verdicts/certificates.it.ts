import { expect } from 'chai';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { certificate, down, observe, observedResult, monitorState } from './detail-seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';
import { agentIn, NOON, resultsDeps, seedLoneMonitor, UP, type MonitorSeed } from '../results/seed.js';

const EXPIRING = down('certificate_expiring', 'The certificate of shop.test expires in 5 days.');
const UNTRUSTED = down('certificate_invalid', 'The certificate of shop.test does not lead to a known authority.');
const WRONG_HOST = down('certificate_invalid', 'The certificate at 203.0.113.7:443 is not for shop.test.');
const REFUSED = down('connection_refused', 'The server at 203.0.113.7:443 refused the connection.');

describe('A certificate', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let monitor: MonitorSeed;
  const { incidents, events, health } = monitorState(test, () => monitor);
  const make = async (types: readonly string[], regions: readonly ('eastus2' | 'westus3')[] = []) => {
    monitor = await seedLoneMonitor(test.database, { types, regions });
  };

  beforeEach(() => make(['SslCertificate']));

  it('that will expire causes one notice per threshold, in any region, for repeated results and after a restart', async () => {
    const daysLeft = [20, 14, 14, 13, 8, 7, 6, 3, 2, 1, 0, -1];
    for (const [minute, days] of daysLeft.entries()) {
      const result = await observe(deps, monitor, minute, { detail: certificate(days) });
      await ingestBatch({ ...resultsDeps(test.database), clock: deps.clock }, agentIn('northeurope'), [result]);
    }
    const notified = await events();
    expect(notified.map((event) => [event.type, (event as { thresholdDays?: number }).thresholdDays])).to.deep.equal([
      ['monitor.certificate_expiring', 14],
      ['monitor.certificate_expiring', 7],
      ['monitor.certificate_expiring', 3],
      ['monitor.certificate_expiring', 1],
    ]);
    expect(notified[1]).to.deep.include({ daysUntilExpiry: 7, region: 'northeurope' });
    expect(notified[1]).to.have.nested.property('certificate.subject', 'CN=shop.test');
  });

  it('that is first read past several thresholds causes one notice, and a renewed one another', async () => {
    await observe(deps, monitor, 0, { detail: certificate(2) });
    await observe(deps, monitor, 1, { detail: certificate(2) });
    expect(await events()).to.have.length(1);
    await observe(deps, monitor, 2, { detail: certificate(89, { fingerprint256: 'BB:02' }) });
    expect(await events()).to.have.length(1);
    await observe(deps, monitor, 3, { detail: certificate(14, { fingerprint256: 'BB:02' }) });
    expect((await events()).map((event) => (event as { thresholdDays?: number }).thresholdDays)).to.deep.equal([3, 14]);
  });

  it('read by several regions causes one notice, and late results cause none', async () => {
    await make(['SslCertificate'], ['eastus2', 'westus3']);
    deps.clock.set(NOON + 500);
    await Promise.all(
      (['northeurope', 'eastus2', 'westus3'] as const).map((region) =>
        ingestBatch(deps, agentIn(region), [observedResult(monitor, 0, { detail: certificate(14) })]),
      ),
    );
    expect(await events()).to.have.length(1);
    await observe(deps, monitor, 1, { detail: certificate(6), lateMinutes: 30 });
    expect(await events()).to.have.length(1);
  });

  it('from incidentDays on opens one SslExpiry incident that contains the certificate, and its renewal closes it', async () => {
    await observe(deps, monitor, 0, { detail: certificate(8) });
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
    for (const minute of [1, 2, 3]) await observe(deps, monitor, minute, { outcome: EXPIRING, detail: certificate(5) });
    const [incident, ...others] = await incidents();
    expect(others).to.have.length(0);
    expect(incident).to.include({ type: 'SslExpiry', isClosed: false, severity: 'warning' });
    expect(incident!.reason).to.equal('The certificate of shop.test expires in 5 days.');
    expect(incident!.context).to.have.nested.property('certificate.fingerprint256', 'AA:01');
    expect(incident!.context).to.have.nested.property('certificate.daysUntilExpiry', 5);
    expect(incident!.context).to.have.nested.property('failures[0].timings.tls', 20);
    expect((await health())?.health).to.equal('degraded');

    await observe(deps, monitor, 4, { detail: certificate(90, { fingerprint256: 'BB:02' }) });
    expect(await incidents()).to.have.length(1);
    expect((await incidents())[0]).to.include({ isClosed: true });
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
  });

  for (const [what, outcome, detail] of [
    ['that nobody vouches for', UNTRUSTED, certificate(60, { isValid: false, chainTrusted: false })],
    ['of another host', WRONG_HOST, certificate(60, { isValid: false, hostnameMatches: false })],
  ] as const) {
    it(`${what} opens an incident after the configured number of checks, and a good one closes it`, async () => {
      await observe(deps, monitor, 0, { outcome, detail });
      expect(await incidents()).to.have.length(0);
      await observe(deps, monitor, 1, { outcome, detail });
      const [incident] = await incidents();
      expect(incident).to.include({ type: 'SslExpiry', severity: 'warning', isClosed: false });
      expect(incident!.reason).to.equal(outcome.kind === 'down' ? outcome.message : '');
      expect(incident!.context).to.have.nested.property('certificate.isValid', false);
      await observe(deps, monitor, 2, { detail: certificate(60) });
      expect((await incidents())[0]).to.include({ isClosed: true });
    });
  }

  it('that cannot be read because the host does not answer causes no incident: its state is unknown', async () => {
    await observe(deps, monitor, 0, { detail: certificate(60) });
    for (const minute of [1, 2, 3]) await observe(deps, monitor, minute, { kind: 'ssl', outcome: REFUSED });
    expect(await incidents()).to.have.length(0);
    await sweepSilence(deps);
    expect(await health()).to.deep.equal({ verdict: 'unknown', health: null });
    await observe(deps, monitor, 4, { detail: certificate(60) });
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
  });

  it('at fault stays at fault while its host does not answer, and its incident continues', async () => {
    for (const minute of [0, 1]) await observe(deps, monitor, minute, { outcome: UNTRUSTED, detail: certificate(60) });
    for (const minute of [2, 3, 4, 5]) await observe(deps, monitor, minute, { kind: 'ssl', outcome: REFUSED });
    await sweepSilence(deps);
    const [incident, ...others] = await incidents();
    expect(others).to.have.length(0);
    expect(incident).to.include({ isClosed: false, reason: UNTRUSTED.kind === 'down' ? UNTRUSTED.message : '' });
  });

  it('at fault degrades an available site and does not improve one that is down: both faults have an incident', async () => {
    await make(['HttpAvailability', 'SslCertificate']);
    const both = async (minute: number, http: typeof UP) => {
      await observe(deps, monitor, minute, { kind: 'http', outcome: http });
      await observe(deps, monitor, minute, { outcome: UNTRUSTED, detail: certificate(60) });
    };
    for (const minute of [0, 1]) await both(minute, UP);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'degraded' });
    for (const minute of [2, 3]) await both(minute, REFUSED);
    expect(await health()).to.deep.equal({ verdict: 'unavailable', health: 'unavailable' });
    expect((await incidents()).map(({ type, isClosed }) => [type, isClosed])).to.deep.equal([
      ['SslExpiry', false],
      ['Availability', false],
    ]);
    for (const minute of [4, 5]) await observe(deps, monitor, minute, { kind: 'http' });
    expect((await incidents()).map(({ type, isClosed }) => [type, isClosed])).to.deep.equal([
      ['SslExpiry', false],
      ['Availability', true],
    ]);
  });

  it('that one of three regions finds faulty degrades the monitor, and a majority opens the incident', async () => {
    await make(['HttpAvailability', 'SslCertificate'], ['eastus2', 'westus3']);
    const regions = ['northeurope', 'eastus2', 'westus3'] as const;
    const round = async (minute: number, wrong: readonly string[]) => {
      for (const region of regions) {
        await observe(deps, monitor, minute, { kind: 'http', region });
        const outcome = wrong.includes(region) ? WRONG_HOST : UP;
        await observe(deps, monitor, minute, { outcome, detail: certificate(60), region });
      }
    };
    for (const minute of [0, 1]) await round(minute, ['eastus2']);
    expect((await health())?.health).to.equal('degraded');
    expect(await incidents()).to.have.length(0);
    for (const minute of [2, 3]) await round(minute, ['eastus2', 'westus3']);
    expect((await incidents())[0]).to.deep.include({ type: 'SslExpiry', regions: ['eastus2', 'westus3'] });
    await round(4, []);
    expect((await incidents())[0]).to.include({ isClosed: true });
    expect((await health())?.health).to.equal('available');
  });

  it('that was faulty in late results only opens no incident', async () => {
    for (const minute of [0, 1, 2, 3])
      await observe(deps, monitor, minute, { outcome: UNTRUSTED, detail: certificate(60), lateMinutes: 120 - minute });
    expect(await incidents()).to.have.length(0);
    expect(await events()).to.have.length(0);
  });

  it('is stored once a day however often it is read, and a check without one stores none', async () => {
    for (let minute = 0; minute < 5; minute++) await observe(deps, monitor, minute, { detail: certificate(60) });
    await observe(deps, monitor, 5, { kind: 'ssl', outcome: REFUSED });
    const [counts] = await test.sql(
      'SELECT (SELECT count(*) FROM check_answer) AS answers, (SELECT count(*) FROM check_detail) AS details',
    );
    expect(counts).to.deep.equal({ answers: 1, details: 5 });
  });
});
