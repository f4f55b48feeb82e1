import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { type CheckResult, isHealthy } from '@watchpost/shared/outcome';
import { regionCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { sendTogether } from '../../../platform/db/send-together.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import type { ApplyDeps } from '../../incidents/index.js';
import { maskResults } from '../../monitors/index.js';
import {
  arrangeBatch,
  type ArrangedBatch,
  type DroppedResult,
  type DropReason,
  type ReportedResult,
} from './arrange-batch.js';
import {
  type AnswerHolds,
  reachVerdicts,
  keepFindings,
  keepDetails,
  keepFailures,
  keepPaths,
  type SecondOpinions,
  discountSuspectFailures,
  type VerdictMetrics,
} from '../../verdicts/index.js';
import type { IngestMetrics } from './ingest-metrics.js';
import { ingestStore, isRepeatedRow, type StoredBatch } from './ingest-store.js';
import type { Partitions } from '../partitions/partitions.js';
import { markLateBuckets } from './mark-late-buckets.js';

type MaskDeps = Parameters<typeof maskResults>[0];

export interface ResultsDeps extends MaskDeps, ApplyDeps {
  metrics: IngestMetrics;
  verdictMetrics: VerdictMetrics;
  partitions: Partitions;
  /** Confirms first failures; absent where no other agent can be asked. */
  secondOpinions?: Pick<SecondOpinions, 'consider'>;
  /** Ends the holds of answers in time; absent where the sweep is enough. */
  answerHolds?: Pick<AnswerHolds, 'consider'>;
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

export interface ReportingAgent {
  agentId: string;
  agentKey: number;
  region: Region;
  /** Of an agent of a private location. */
  location?: { id: string; workspaceId: string };
}

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
  return ingestJoined(deps, [{ agent, results }]);
}

/**
 * Ingests a batch of results of agents of any regions: rows, series, verdicts and incidents, in one transaction. When it
 * resolves, they are committed; when it rejects, nothing is, and the batch can be sent again. A repeated batch changes nothing.
 * @param lockTimeoutMs how long a statement waits for a row that others have locked; by default as long as it may run
 */
export async function ingestJoined(
  deps: ResultsDeps,
  parts: readonly ReportedResults[],
  lockTimeoutMs?: number,
): Promise<IngestSummary> {
  const started = performance.now();
  const masked = await Promise.all(
    parts.map(async ({ agent, results }) => ({ agent, results: await maskResults(deps, results) })),
  );
  const reported = masked.flatMap(({ agent: { region, agentKey }, results }) =>
    results.map((result): ReportedResult => ({ result, region, agentKey })),
  );
  const nowMs = deps.clock.now();
  const { dropped, ...batch } = arrangeBatch(reported, { nowMs, oldestMs: deps.partitions.oldestMs() });
  const stored = batch.results.length === 0 ? NOTHING : await commit(deps, nowMs, batch, lockTimeoutMs);
  if (batch.results.length > 0)
    for (const { agent, results } of masked) {
      deps.secondOpinions?.consider(agent, results);
      deps.answerHolds?.consider(results, stored.unsettled);
    }
  dropped.push(
    ...leftOut(stored.unknown, 'unknown_monitor'),
    ...leftOut(stored.elsewhere, 'foreign_region'),
    ...leftOut(stored.unasked, 'foreign_kind'),
  );
  for (const { agent, results } of masked) deps.metrics.countOutcomes(agent.region, results, nowMs);
  deps.metrics.countStored(reported, stored.stored, dropped);
  deps.metrics.ingestSeconds.observe((performance.now() - started) / 1000);
  const repeated = reported.length - stored.stored.length - dropped.length;
  return { stored: stored.stored.length, repeated, dropped: dropped.length };
}

/** The results of a batch that can be stored. */
type Storable = Omit<ArrangedBatch, 'dropped'>;

const NOTHING: StoredBatch = { stored: [], unknown: [], elsewhere: [], unasked: [], unsettled: [] };

function leftOut(regions: readonly Region[], reason: DropReason): DroppedResult[] {
  return regions.map((region) => ({ region, reason }));
}

async function commit(
  deps: ResultsDeps,
  nowMs: number,
  batch: Storable,
  lockTimeoutMs: number | undefined,
): Promise<StoredBatch> {
  await deps.partitions.ensureFor(batch.results.map(({ result }) => result.scheduledAtMs));
  const now = new Date(nowMs);
  const write = (store: typeof storeOneEach) =>
    deps.db.transaction(
      async (tx) => {
        const results = await discountSuspectFailures(keptStatements(tx), batch.results);
        const stored = await writeBatch(deps, tx, now, { ...batch, results }, store);
        if (!stored) return null;
        const verdicts = await reachVerdicts(deps, forSome(tx, stored.unsettled), stored.unsettled);
        await keepPaths(tx, results);
        return { stored, verdicts };
      },
      { startsWithWork: true, lockTimeoutMs, commitsIf: (written) => written !== null },
    );
  const usual =
    batch.rounds > 1
      ? null
      : await write(storeOneEach).catch((error: unknown) => {
          if (isRepeatedRow(error)) return null;
          throw error;
        });
  const { stored, verdicts } = usual ?? (await write(storeSeveral))!;
  deps.verdictMetrics.countChanges(verdicts);
  return stored;
}

async function writeBatch(
  deps: ResultsDeps,
  tx: Tx,
  now: Date,
  batch: Storable,
  store: typeof storeOneEach,
): Promise<StoredBatch | null> {
  const stored = await store(tx, now, batch);
  if (!stored) return null;
  const failures = batch.results.filter(({ result }) => !isHealthy(result.outcome));
  const changed = failures.length > 0 ? await keepFailures(forSome(tx, failures), failures) : [];
  await markLateBuckets(tx, deps.clock.now(), batch.results);
  await keepDetails(deps, tx, batch.results);
  await keepFindings(tx, batch.results);
  return { ...stored, unsettled: [...stored.unsettled, ...changed] };
}

/** Kept statements have generic plans, which suit small inputs; larger inputs are planned anew. */
function forSome(tx: Tx, { length }: { length: number }): Tx {
  return length <= SOME ? keptStatements(tx) : tx;
}

/**
 * Stores the usual batch: one result per series, each newer than the last.
 * @returns null where a series that it needs is missing: the transaction must not be committed
 */
async function storeOneEach(tx: Tx, now: Date, { results }: Storable): Promise<StoredBatch | null> {
  const usual = keptStatements(tx);
  const [, { stored, unsettled }] = await sendTogether(
    ingestStore.keepOrder(usual),
    ingestStore.advance(usual, now, results),
  );
  if (stored === null) return { ...NOTHING, stored: results.map(({ region }) => region), unsettled };
  const rest = await ingestStore.storeRest(forSome(tx, results), now, results);
  return rest && { ...rest, stored: [...stored, ...rest.stored], unsettled };
}

/** Stores any results. The first statement locks all series, in order; later rounds touch no others. */
async function storeSeveral(tx: Tx, now: Date, { results, rounds }: Storable): Promise<StoredBatch> {
  const { locked, ...stored } = await ingestStore.store(forSome(tx, results), now, results);
  const unsettled = new Set(stored.unsettled);
  const lockedSeries = new Set(locked);
  for (let round = 2; round <= rounds; round++) {
    const next = results.filter(
      ({ result: { key }, region, round: own }) =>
        own === round && lockedSeries.has(`${key.monitorKey} ${CHECK_KIND_CODES[key.kind]} ${regionCode(region)}`),
    );
    if (next.length === 0) continue;
    for (const key of await ingestStore.applyRound(forSome(tx, next), now, next)) unsettled.add(key);
  }
  return { ...stored, unsettled: [...unsettled] };
}
