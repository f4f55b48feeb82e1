import { expect } from 'chai';
import type { DnsRecords } from '@watchpost/shared/outcome';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { resultsMonitorListener } from '@watchpost/control-plane/capabilities/verdicts/index';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { answer, down, observe, observedResult, monitorState } from './detail-seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';
import { agentIn, NOON, resultsDeps, seedLoneMonitor, type MonitorSeed } from '../results/seed.js';

const OLD: DnsRecords = { A: ['203.0.113.7', '203.0.113.8'], MX: ['10 mail.shop.test'] };
const NEW: DnsRecords = { A: ['203.0.113.7', '203.0.113.9'], MX: ['10 mail.shop.test'] };
const ADDED = [{ type: 'A', added: ['203.0.113.9'], removed: [] }];
const REMOVED = [{ type: 'A', added: [], removed: ['203.0.113.8'] }];
const CHANGES = [{ type: 'A', added: ['203.0.113.9'], removed: ['203.0.113.8'] }];
const MISMATCH = down('dns_mismatch', 'The A records of shop.test do not include 203.0.113.8; they are 203.0.113.9.');
const NXDOMAIN = down(
  'dns_not_found',
  'The name shop.test does not exist according to the resolver 192.0.2.53:53 (NXDOMAIN).',
);

describe('A name', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let monitor: MonitorSeed;
  const { incidents, events, health } = monitorState(test, () => monitor);
  const make = async (types: readonly string[], regions: readonly ('eastus2' | 'westus3')[] = []) => {
    monitor = await seedLoneMonitor(test.database, { types, regions });
  };
  const changesAt = async (minute: number) =>
    await test.column<unknown>(
      'SELECT changes FROM check_detail WHERE monitor_key = $1 AND scheduled_at = $2 ORDER BY region',
      [monitor.key, new Date(NOON + minute * MINUTE_MS)],
    );

  beforeEach(() => make(['Dns']));

  it('that changes causes a notice of added records at once, one of those missing ten times, and no incident', async () => {
    await observe(deps, monitor, 0, { detail: answer(OLD) });
    const result = await observe(deps, monitor, 1, { detail: answer(NEW) });
    await ingestBatch(deps, agentIn('northeurope'), [result]);
    for (let minute = 2; minute < 14; minute++) await observe(deps, monitor, minute, { detail: answer(NEW) });
    const event = { type: 'monitor.dns_changed', region: 'northeurope', records: NEW, resolver: '192.0.2.53:53' };
    expect(await events()).to.deep.equal([
      { ...event, changes: ADDED },
      { ...event, changes: REMOVED },
    ]);
    expect(await incidents()).to.have.length(0);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
    expect([await changesAt(0), await changesAt(1), await changesAt(2)]).to.deep.equal([[null], [ADDED], [null]]);
    expect([await changesAt(9), await changesAt(10), await changesAt(11)]).to.deep.equal([[null], [REMOVED], [null]]);
  });

  it('whose answers take turns causes one notice for each value, in all regions together, and its state is stored', async () => {
    await make(['Dns'], ['eastus2']);
    const pool = Array.from({ length: 6 }, (_, index) => `203.0.113.${index + 1}`);
    for (let minute = 0; minute < 40; minute++) {
      deps.clock.set(NOON + minute * MINUTE_MS + 500);
      for (const [index, region] of (['northeurope', 'eastus2'] as const).entries()) {
        const records = { A: [0, 1].map((place) => pool[(5 * minute + 3 * index + place) % pool.length]!).toSorted() };
        await ingestBatch(deps, agentIn(region), [observedResult(monitor, minute, { detail: answer(records) })]);
      }
    }
    const changes = (await events()).flatMap((event) => (event as unknown as { changes: typeof ADDED }).changes);
    const added = changes.flatMap((change) => change.added);
    expect(added.toSorted()).to.deep.equal([...new Set(added)].toSorted());
    expect(added.length).to.be.within(4, 6);
    expect(changes.flatMap(({ removed }) => removed)).to.deep.equal([]);
    const seen = await test.value<{ values: unknown[] }>('SELECT seen FROM last_answer WHERE monitor_key = $1', [
      monitor.key,
    ]);
    expect(seen.values).to.have.length(4);
  });

  it('that fails for one type keeps the records of that type, and is compared in the others', async () => {
    const partial = answer({ A: NEW.A! }, { failures: { MX: 'SERVFAIL' } });
    await observe(deps, monitor, 0, { detail: answer(OLD) });
    await observe(deps, monitor, 1, { detail: partial });
    await observe(deps, monitor, 2, {
      outcome: down('dns_failure', 'The resolver 192.0.2.53:53 could not look up shop.test (SERVFAIL for MX records).'),
      detail: partial,
    });
    await observe(deps, monitor, 3, { detail: answer({ ...NEW, MX: ['10 mail.shop.test', '20 spare.shop.test'] }) });
    const mail = [{ type: 'MX', added: ['20 spare.shop.test'], removed: [] }];
    expect([await changesAt(1), await changesAt(2), await changesAt(3)]).to.deep.equal([[ADDED], [null], [mail]]);
  });

  it('is unchanged in another order, from another resolver, or with another record type queried', async () => {
    await observe(deps, monitor, 0, { detail: answer(OLD) });
    await observe(deps, monitor, 1, {
      detail: answer({ ...OLD, A: OLD.A!.toReversed() }, { resolver: '192.0.2.54:53' }),
    });
    await observe(deps, monitor, 2, { detail: answer({ ...OLD, TXT: ['v=spf1 -all'] }) });
    await observe(deps, monitor, 3, { detail: answer({ A: OLD.A! }) });
    expect(await events()).to.have.length(0);
  });

  it('that changes in every region causes one notice, and none when it changes back within a day', async () => {
    await make(['Dns'], ['eastus2', 'westus3']);
    const regions = ['northeurope', 'eastus2', 'westus3'] as const;
    for (const [minute, records] of [OLD, NEW, NEW, OLD, NEW].entries()) {
      deps.clock.set(NOON + minute * MINUTE_MS + 500);
      await Promise.all(
        regions.map((region) =>
          ingestBatch(deps, agentIn(region), [observedResult(monitor, minute, { detail: answer(records) })]),
        ),
      );
    }
    expect(
      (await events()).map((event) => (event as { changes?: { added: string[] }[] }).changes?.[0]?.added),
    ).to.deep.equal([['203.0.113.9']]);
    expect(await changesAt(1)).to.deep.equal([ADDED, ADDED, ADDED]);
  });

  it('that changed while the agent was cut off causes a notice after its return, not by late results', async () => {
    await observe(deps, monitor, 0, { detail: answer(OLD) });
    for (const minute of [1, 2, 3])
      await observe(deps, monitor, minute, { detail: answer(NEW), lateMinutes: 60 - minute });
    expect(await events()).to.have.length(0);
    await observe(deps, monitor, 61, { detail: answer(NEW) });
    expect(await events()).to.have.length(1);
    expect(await changesAt(61)).to.deep.equal([ADDED]);
  });

  it('that could not be resolved in between is compared with the last good answer', async () => {
    await observe(deps, monitor, 0, { detail: answer(OLD) });
    await observe(deps, monitor, 1, { kind: 'dns', outcome: NXDOMAIN, detail: answer({}) });
    await observe(deps, monitor, 2, { detail: answer(OLD) });
    expect(await events()).to.have.length(0);
    await observe(deps, monitor, 3, { kind: 'dns', outcome: NXDOMAIN, detail: answer({}) });
    await observe(deps, monitor, 4, { detail: answer(NEW) });
    expect(await events()).to.have.length(1);
  });

  it('of another target is not compared with the former one', async () => {
    await observe(deps, monitor, 0, { detail: answer(OLD) });
    await test.sql(`UPDATE monitor SET url = 'https://other.test/', checks_changed = $2 WHERE key = $1`, [
      monitor.key,
      new Date(NOON + 30_000),
    ]);
    await observe(deps, monitor, 1, { detail: answer(NEW) });
    expect(await events()).to.have.length(0);
  });

  it('that differs from the expected records opens a Dns incident with both answers, which closes when it is correct again', async () => {
    await observe(deps, monitor, 0, { detail: answer(OLD) });
    for (const minute of [1, 2]) await observe(deps, monitor, minute, { outcome: MISMATCH, detail: answer(NEW) });
    const [incident, ...others] = await incidents();
    expect(others).to.have.length(0);
    expect(incident).to.include({ type: 'Dns', severity: 'warning', isClosed: false });
    expect(incident!.reason).to.equal(MISMATCH.kind === 'down' ? MISMATCH.message : '');
    expect(incident!.context).to.have.nested.property('dns[0].before.records').that.deep.equals(OLD);
    expect(incident!.context).to.have.nested.property('dns[0].after.records').that.deep.equals(NEW);
    expect(incident!.context).to.have.nested.property('dns[0].changes').that.deep.equals(CHANGES);
    expect(await health()).to.deep.equal({ verdict: 'partial', health: 'degraded' });
    await observe(deps, monitor, 3, { detail: answer(OLD) });
    expect((await incidents())[0]).to.include({ isClosed: true });
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
  });

  it('that no longer exists opens a Dns incident that shows the former answer', async () => {
    await observe(deps, monitor, 0, { detail: answer(OLD) });
    for (const minute of [1, 2]) await observe(deps, monitor, minute, { outcome: NXDOMAIN, detail: answer({}) });
    const [incident] = await incidents();
    expect(incident).to.include({ type: 'Dns', isClosed: false });
    expect(incident!.reason).to.contain('NXDOMAIN');
    expect(incident!.context).to.have.nested.property('dns[0].before.records').that.deep.equals(OLD);
    expect((await health())?.health).to.equal('degraded');
  });

  it('without fresh results is unknown, and neither healthy nor an incident', async () => {
    await observe(deps, monitor, 0, { detail: answer(OLD) });
    deps.clock.set(NOON + 5 * MINUTE_MS);
    await sweepSilence(deps);
    expect(await health()).to.deep.equal({ verdict: 'unknown', health: null });
    expect(await incidents()).to.have.length(0);
  });

  it('and a certificate that are both at fault are two incidents, and both are unknown while the monitor is paused', async () => {
    await make(['Dns', 'SslCertificate']);
    const invalid = down('certificate_invalid', 'The certificate is self-signed.');
    for (const minute of [0, 1]) {
      await observe(deps, monitor, minute, { outcome: NXDOMAIN, detail: answer({}) });
      await observe(deps, monitor, minute, { kind: 'ssl', outcome: invalid });
    }
    expect((await incidents()).map(({ type }) => type).toSorted()).to.deep.equal(['Dns', 'SslExpiry']);
    await test.database.transaction(async (tx) => {
      await tx.query(`UPDATE monitor SET monitoring_status = 'paused' WHERE key = $1`, [monitor.key]);
      const { id: monitorId, key: monitorKey, workspaceId } = monitor;
      await resultsMonitorListener(deps)(tx, [
        { kind: 'updated', workspaceId, monitorKey, monitorId, checksChanged: true },
      ]);
    });
    expect(await health()).to.deep.equal({ verdict: 'unknown', health: null });
  });
});
