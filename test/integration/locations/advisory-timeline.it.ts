import { expect } from 'chai';
import fc from 'fast-check';
import { newId } from '@watchpost/shared/id';
import type { Outcome } from '@watchpost/shared/outcome';
import { REGIONS, regionOfCode } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import {
  decideTimeline,
  readAvailability,
  readMonitorCharts,
} from '@watchpost/control-plane/capabilities/figures/index';
import { readRegionTimelines } from '@watchpost/control-plane/capabilities/figures/reading/read-region-timelines';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { ingestBatch, type ReportingAgent } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import type { BuildWork } from '@watchpost/control-plane/capabilities/status-pages/build-work';
import { MonitorHistories } from '@watchpost/control-plane/capabilities/status-pages/monitor-histories';
import { decideVerdict } from '@watchpost/control-plane/capabilities/verdicts/verdict/decide-verdict';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { monitorDeps, schemas, seedActor } from '../monitors/seed.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, UP } from '../results/seed.js';
import { databaseForSuite } from '../../support/suite.js';

/** Four minutes before a step of the bar. */
const START = NOON + 11 * MINUTE_MS;
const END = START + 15 * MINUTE_MS;

describe('The timeline of a monitor with places that only advise', () => {
  it('is at every moment the verdict on the same states', () => {
    const states = fc.array(fc.constantFrom('up', 'down', 'silent'), { minLength: 6, maxLength: 6 });
    const places = fc.record({
      regions: fc.array(states, { maxLength: 3 }),
      voting: fc.array(states, { maxLength: 2 }),
      advisory: fc.array(states, { maxLength: 2 }),
      quorum: fc.constantFrom('any' as const, 'majority' as const, 'all' as const),
    });
    fc.assert(
      fc.property(places, ({ regions, voting, advisory, quorum }) => {
        const counting = [
          ...regions.map((own, index) => ({ region: REGIONS[index]!.name, own })),
          ...voting.map((own, index) => ({ region: regionOfCode(100 + index), own })),
        ];
        const advising = advisory.map((own, index) => ({ region: regionOfCode(200 + index), own }));
        const all = [...counting, ...advising];
        const spans = all.flatMap(({ region, own }, series) =>
          own.flatMap((state, startMs) =>
            state === 'silent'
              ? []
              : {
                  series,
                  startMs,
                  endMs: startMs + 1,
                  up: state === 'up',
                  advisory: advising.some((one) => one.region === region),
                },
          ),
        );
        const timeline = decideTimeline(spans, 0, 6);
        for (let nowMs = 0; nowMs < 6; nowMs++) {
          const { state } = decideVerdict(
            { verdict: 'unknown', verdictSinceMs: 0, healthStatus: null, memory: {} },
            all.map(({ region, own }) => ({
              region,
              kind: 'http',
              streak: 1,
              streakOutcome: own[nowMs] === 'up' ? 'up' : 'down',
              streakSinceMs: 0,
              failing: own[nowMs] === 'down',
              conclusiveAtMs: 0,
              freshUntilMs: own[nowMs] === 'silent' ? nowMs : nowMs + 1,
              stale: own[nowMs] === 'silent',
              lastMessage: null,
            })),
            {
              isEnabled: true,
              monitorTypes: ['HttpAvailability'],
              regions: all.map(({ region }) => region),
              advisory: new Set(advising.map(({ region }) => region)),
              awaitedUntilMs: 0,
              quorum,
              autoClose: true,
              suspects: new Set(),
              watched: new Set(),
              coveredUntilMs: null,
              everyCertificate: false,
              successes: {},
            },
            [],
            nowMs,
          );
          expect(timeline.find(({ endMs }) => nowMs < endMs)!.status).to.equal(state.verdict);
        }
      }),
      { numRuns: 60 },
    );
  });

  describe('as it is read', () => {
    const test = databaseForSuite();

    /** By minute: what the region and the location find; a blank is no result. */
    const REGION = '..x.    ....xx  ';
    const LOCATION = '.x..xxxxx.x..xxx';

    for (const reachability of ['advisory', 'voting'])
      it(`follows the verdict where the location is ${reachability}`, async () => {
        const results = { ...resultsDeps(test.database), retentionDays: 35 };
        const actor = await seedActor(test.database, { plan: 'Enterprise' });
        const { workspaceId } = actor.workspace;
        const locationId = newId(NOON);
        await test.sql(
          `INSERT INTO private_location (id, workspace_id, code, name, slug, allow_cidrs, deny_cidrs, labels, reachability,
               notify_action_group_ids, created, last_modified)
             VALUES ($1, $2, 100, 'Office', 'office', '{10.0.0.0/8}', '{}', '{}', $3, '{}', now(), now())`,
          [locationId, workspaceId, reachability],
        );
        const deps = monitorDeps(test.database);
        const { monitor } = await createMonitor(
          deps,
          actor,
          schemas.create.parse({
            url: 'https://shop.example/',
            privateLocations: ['office'],
            numberOfChecksBeforeAlert: 1,
          }),
        );
        const key = deps.changes.at(-1)!.monitorKey;
        const office: ReportingAgent = {
          agentId: newId(NOON),
          agentKey: 7,
          region: regionOfCode(100),
          location: { id: locationId, workspaceId },
        };
        const histories = new MonitorHistories(35);
        const work = {
          query: (read: Parameters<typeof test.database.read>[0]) => test.database.read(read),
          slice: async <T>(compute: () => T) => compute(),
        } as BuildWork;
        const verdicts: string[] = [];
        for (let minute = 0; minute < REGION.length; minute++) {
          const atMs = START + minute * MINUTE_MS;
          results.clock.set(atMs + 500);
          const report = (mark: string | undefined, agent: ReportingAgent) => {
            const outcome: Outcome | null = mark === '.' ? UP : mark === 'x' ? DOWN : null;
            return outcome && ingestBatch(results, agent, [resultOf(key, atMs, outcome)]);
          };
          await report(REGION[minute], agentIn('northeurope'));
          await report(LOCATION[minute], office);
          await sweepSilence(results);
          verdicts.push(
            await test.database.read((tx) =>
              tx.value<string>('SELECT verdict FROM monitor_state WHERE monitor_key = $1', [key]),
            ),
          );
          // The page reads the last minutes beside a day that it has kept.
          const shown = { workspaceId, monitorKeys: [key] };
          const { timeline } = (await histories.read(shown, [], results.clock.now(), work)).get(key)!;
          expect(timeline.at(-1)!.status, `minute ${minute} of the page`).to.equal(verdicts.at(-1));
        }
        expect(new Set(verdicts)).to.include.members(['available', 'partial', 'unavailable']);
        expect(verdicts.includes('unknown')).to.equal(reachability === 'advisory');

        results.clock.set(END);
        const period = { startDate: START, endDate: END };
        const { timeline } = await readAvailability(results, workspaceId, monitor.id, period);
        for (let minute = 0; minute < 15; minute++) {
          const atMs = START + minute * MINUTE_MS + 500;
          const seen = timeline.find(({ end }) => Date.parse(end) > atMs)!;
          expect(seen.status, `minute ${minute}`).to.equal(verdicts[minute]);
        }
        const { states, regions } = await readRegionTimelines(results, workspaceId, monitor.id, {
          ...period,
          steps: 15,
        });
        const [chart] = await readMonitorCharts(results, workspaceId, [monitor.id]);
        // A moment that is unavailable by the region alone is partial where the location votes too.
        expect(chart!.bar.states.at(-2)).to.equal(reachability === 'advisory' ? 'u' : 'p');
        expect(states.includes('n')).to.equal(reachability === 'advisory');
        // The bar of the location shows what it finds.
        expect(regions.find(({ region }) => region === regionOfCode(100))!.states).to.match(/^au/);
      });
  });
});
