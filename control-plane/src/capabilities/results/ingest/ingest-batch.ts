import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { sendTogether } from '../../../platform/db/send-together.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import { maskResults, type MaskDeps } from '../../monitors/index.js';
import { arrangeBatch, type ArrangedBatch } from './arrange-batch.js';
import { reachVerdicts } from '../verdict/reach-verdicts.js';
import { DETAILED_KINDS } from '../warnings/detect-detail-change.js';
import { evidenceStore } from '../verdict/evidence-store.js';
import type { IngestContext } from './ingest-columns.js';
import { ingestStore, isRepeatedRow, type StoredBatch } from './ingest-store.js';
import { keepDetails } from '../warnings/keep-details.js';
import type { OperatorNotice } from '../trust/operator-notice-store.js';
import type { Partitions } from '../series/partitions.js';
import type { ResultsMetrics } from '../series/results-metrics.js';
import { markLateBuckets } from '../rollup/roll-up.js';
import type { SecondOpinions } from '../trust/second-opinions.js';
import { discountSuspectFailures } from '../trust/discount-suspect-failures.js';

export interface ResultsDeps extends MaskDeps {
  clock: Clock;
  metrics: ResultsMetrics;
  partitions: Partitions;
  /** Called with each notice to the operators that this process writes. */
  onNotice?: (notice: OperatorNotice) => void;
  /** Called with the error where the suspect regions could not be determined. */
  onJudgementError?: (error: unknown) => void;
  /** Confirms first failures; absent where no other agent can be asked. */
  secondOpinions?: Pick<SecondOpinions, 'consider'>;
}

export interface IngestSummary {
  stored: number;
  /** Stored already: a replay. */
  repeated: number;
  /** Not stored; the metrics contain the reasons. */
  dropped: number;
}

/** More failures, or changing verdicts, than a usual batch contains. */
const SOME = 25;

/** An agent, as far as its results show it. */
export interface ReportingAgent {
  agentId: string;
  agentKey: number;
  region: Region;
}

/** The results of one agent in a batch. */
export interface ReportedResults {
  agent: ReportingAgent;
  results: readonly CheckResult[];
}

/** Ingests the results of one agent: see `ingestJoined`. */
export function ingestBatch(
  deps: ResultsDeps,
  agent: ReportingAgent,
  results: readonly CheckResult[],
): Promise<IngestSummary> {
  return ingestJoined(deps, agent.region, [{ agent, results }]);
}

/**
 * Ingests a batch of results of agents of one region: rows, series, verdicts and incidents, in one transaction. When it
 * resolves, they are committed; when it rejects, nothing is, and the batch can be sent again. A repeated batch changes nothing.
 */
export async function ingestJoined(
  deps: ResultsDeps,
  region: Region,
  parts: readonly ReportedResults[],
): Promise<IngestSummary> {
  const started = performance.now();
  const results: CheckResult[] = [];
  const agentKeys = new Map<CheckResult, number>();
  const masked = await Promise.all(parts.map((part) => maskResults(deps, part.results)));
  for (const [index, own] of masked.entries()) {
    for (const result of own) {
      results.push(result);
      agentKeys.set(result, parts[index]!.agent.agentKey);
    }
  }
  const nowMs = deps.clock.now();
  const batch = arrangeBatch(results, { nowMs, oldestMs: deps.partitions.oldestMs() }, (result) =>
    agentKeys.get(result)!,
  );
  const summary: StoredBatch = { stored: 0, unknown: 0, elsewhere: 0, unasked: 0, unsettled: [] };
  if (batch.results.length > 0) {
    await deps.partitions.ensureFor(batch.results.map(({ result }) => result.scheduledAtMs));
    const context = { now: new Date(nowMs), region };
    const write = (store: typeof storeOneEach) =>
      deps.db.transaction(
        async (tx) => {
          const trusted = await discountSuspectFailures(keptStatements(tx), region, batch.results);
          Object.assign(summary, await writeBatch(deps, tx, context, { ...batch, results: trusted }, store));
          return reachVerdicts(deps, forSome(tx, summary.unsettled), summary.unsettled);
        },
        { startsWithWork: true },
      );
    const verdicts =
      batch.rounds > 1
        ? await write(storeSeveral)
        : await write(storeOneEach).catch((error: unknown) => {
            if (!(error instanceof Overtaken) && !isRepeatedRow(error)) throw error;
            return write(storeSeveral);
          });
    for (const { from, to } of verdicts) deps.metrics.verdictChanged(from, to);
    for (const [index, { agent }] of parts.entries()) deps.secondOpinions?.consider(agent, masked[index]!);
  }
  if (summary.unknown > 0) batch.dropped.set('unknown_monitor', summary.unknown);
  if (summary.unasked > 0) batch.dropped.set('foreign_kind', summary.unasked);
  if (summary.elsewhere > 0) batch.dropped.set('foreign_region', summary.elsewhere);
  const dropped = [...batch.dropped.values()].reduce((sum, count) => sum + count, 0);
  const repeated = results.length - summary.stored - dropped;
  deps.metrics.countOutcomes(region, results, nowMs);
  deps.metrics.stored.inc({ region }, summary.stored);
  deps.metrics.repeated.inc({ region }, repeated);
  deps.metrics.countDropped(region, batch.dropped);
  deps.metrics.ingestSeconds.observe((performance.now() - started) / 1000);
  return { stored: summary.stored, repeated, dropped };
}

async function writeBatch(
  deps: ResultsDeps,
  tx: Tx,
  context: IngestContext,
  batch: ArrangedBatch,
  store: typeof storeOneEach,
): Promise<StoredBatch> {
  const stored = await store(tx, context, batch);
  const failures = batch.results.flatMap(({ result }) => (result.outcome.kind === 'up' ? [] : [result]));
  if (failures.length > 0) await evidenceStore.keep(forSome(tx, failures), context.region, failures);
  await markLateBuckets(tx, deps.clock.now(), batch.results);
  const detailed = batch.results.flatMap(({ result }) =>
    DETAILED_KINDS.has(result.key.kind) && result.outcome.kind !== 'inconclusive' ? [result] : [],
  );
  if (detailed.length > 0) await keepDetails(deps, tx, context.region, detailed);
  return stored;
}

/** Kept statements have generic plans, which suit small inputs; larger inputs are planned anew. */
function forSome(tx: Tx, { length }: { length: number }): Tx {
  return length <= SOME ? keptStatements(tx) : tx;
}

/** The common statement did not find a series that it needs. */
class Overtaken extends Error {}

/** Stores the usual batch: one result per series, each newer than the last. */
async function storeOneEach(tx: Tx, context: IngestContext, { results }: ArrangedBatch): Promise<StoredBatch> {
  const usual = keptStatements(tx);
  const [, { stored, unsettled }] = await sendTogether(
    ingestStore.keepOrder(usual),
    ingestStore.advance(usual, context, results),
  );
  if (stored === results.length) return { stored, unsettled, unknown: 0, elsewhere: 0, unasked: 0 };
  const rest = await ingestStore.storeRest(tx, context, results);
  if (!rest) throw new Overtaken();
  return { ...rest, stored: stored + rest.stored, unsettled };
}

/** Stores any results. The first statement locks all series, in order; later rounds touch no others. */
async function storeSeveral(tx: Tx, context: IngestContext, { results, rounds }: ArrangedBatch): Promise<StoredBatch> {
  const { locked, ...stored } = await ingestStore.store(tx, context, results);
  const unsettled = new Set(stored.unsettled);
  const lockedSeries = new Set(locked);
  for (let round = 2; round <= rounds; round++) {
    const next = results.filter(
      ({ result: { key }, round: own }) =>
        own === round && lockedSeries.has(`${key.monitorKey} ${CHECK_KIND_CODES[key.kind]}`),
    );
    if (next.length === 0) continue;
    for (const key of await ingestStore.applyRound(tx, context, next)) unsettled.add(key);
  }
  return { ...stored, unsettled: [...unsettled] };
}
