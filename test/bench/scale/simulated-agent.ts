import { join } from 'node:path';
import { ResultReporter } from '@watchpost/agent/report/report-results';
import { Urgency } from '@watchpost/agent/report/result-reporter';
import { AgentCredential } from '@watchpost/agent/sync/agent-credential';
import { parseAgentToken } from '@watchpost/agent/sync/agent-token';
import { Assignment } from '@watchpost/agent/sync/assignment';
import { ControlPlaneLink } from '@watchpost/agent/sync/control-plane-link';
import type { SessionEnd } from '@watchpost/agent/sync/decide-retry';
import { keepSession } from '@watchpost/agent/sync/keep-session';
import { runPullSession } from '@watchpost/agent/sync/pull-session';
import { systemClock } from '@watchpost/shared/clock';
import type { Region } from '@watchpost/shared/region';
import { encodeResult } from '@watchpost/shared/wire/encode-result';
import type { Logger } from 'pino';
import { AgentChecks, type CheckTable } from './check-table.js';
import type { RunLog } from './run-log.js';
import type { SimulatedFigures } from './simulated-figures.js';
import { simulatedResult, type SimulatedSites } from './simulated-outcome.js';
import { NoAssignmentFile, TimedSpool } from './timed-spool.js';

const VERSION = '0.1.0';
const DEFAULT_BATCH = 500;

export interface SimulatedAgentOptions {
  /** Its place in the process, which names it in the table. */
  index: number;
  urls: readonly URL[];
  token: string;
  region: Region;
  folder: string;
  sites: SimulatedSites;
  table: CheckTable;
  figures: SimulatedFigures;
  runs: RunLog;
  logger: Logger;
}

/**
 * An agent with the real connection, assignment, spool and report of the product, of which the checks are simulated: its
 * schedule is the table of its process, and its probes are drawn.
 */
export class SimulatedAgent {
  readonly checks: AgentChecks;
  readonly spool: TimedSpool;
  private readonly link: ControlPlaneLink;
  private readonly assignment: Assignment;
  private readonly reporter: ResultReporter;
  private readonly urgency = new Urgency();
  private readonly never = new AbortController().signal;
  private maxBatchResults = DEFAULT_BATCH;
  private isReporting = false;

  constructor(private readonly options: SimulatedAgentOptions) {
    const { table, index, urls, token, region, folder, figures, runs, logger } = options;
    this.checks = new AgentChecks(table, index);
    this.spool = new TimedSpool(systemClock, {
      acknowledged: (afterDueMs, monitorKey, dueMs) => {
        figures.acknowledged(afterDueMs);
        runs.acknowledged(monitorKey, region, dueMs);
      },
      answered: (afterSendMs) => figures.answered(afterSendMs),
      dropped: (results) => figures.dropped(results),
    });
    const credential = new AgentCredential({
      isTls: urls[0]!.protocol === 'https:',
      token: parseAgentToken(token),
      path: join(folder, `${index}.json`),
      extraRoots: [],
      clock: systemClock,
      logger,
      version: VERSION,
    });
    this.link = new ControlPlaneLink(urls, credential, logger);
    this.assignment = new Assignment(this.checks, new NoAssignmentFile(), logger);
    this.reporter = new ResultReporter({
      link: this.link,
      spool: this.spool,
      logger,
      signal: this.never,
      maxBatchResults: () => this.maxBatchResults,
      onConnection: () => undefined,
      onReconnect: () => figures.reconnects++,
      onRejected: () => figures.refused++,
      onNotStored: (count) => (figures.refused += count),
      onReplay: () => undefined,
      onRefused: (message) => figures.fail(message),
    });
  }

  /** Gets a certificate, and prepares the connection that presents it. @returns why there is none yet */
  async enrol(): Promise<SessionEnd | undefined> {
    const blocked = await this.link.prepare();
    // Reading the public authorities takes longer than a handshake: otherwise agents would start one after the other.
    if (!blocked) this.link.client();
    return blocked;
  }

  start(): void {
    const { figures, logger, region, sites } = this.options;
    this.link.keepRenewed();
    void keepSession({
      name: 'assignments',
      logger,
      signal: this.never,
      onReconnect: () => figures.reconnects++,
      onRefused: (message) => figures.fail(message),
      session: async (signal) => {
        this.assignment.startSession();
        const blocked = await this.link.prepare();
        if (blocked) return blocked;
        return await runPullSession(
          this.link,
          {
            hello: () => ({
              agentVersion: VERSION,
              capabilities: ['http'],
              lastRevision: this.assignment.revision,
              epoch: this.assignment.epoch,
            }),
            onWelcome: ({ settings }) => {
              this.maxBatchResults = settings.maxBatchResults || DEFAULT_BATCH;
              if (!this.isReporting) void this.reporter.run();
              this.isReporting = true;
            },
            onEgress: () => undefined,
            onTime: () => undefined,
            onUpdate: async (update, serverTimeMs) => {
              try {
                return update.kind === 'snapshot'
                  ? await this.assignment.applySnapshot(update, serverTimeMs)
                  : await this.assignment.applyDelta(update, serverTimeMs);
              } catch (error) {
                figures.fail((error as Error).message);
                throw error;
              }
            },
            onRunRequest: ({ requestId, check }) => {
              figures.onDemandRuns++;
              const result = check && simulatedResult(sites, check.key.monitorKey, region, Date.now());
              return Promise.resolve({ kind: 'runResult', requestId, result, refusal: result ? '' : 'unknown check' });
            },
            heartbeat: () => ({
              spoolDepth: this.spool.depth,
              checks: this.checks.size,
              lagP99Us: 1_000,
              visibility: 'unknown',
            }),
            onDrain: () => {
              this.link.renew();
              this.reporter.reconnect();
            },
          },
          signal,
          this.never,
        );
      },
    });
  }

  /** Reports a check that is done. */
  report(monitorKey: number, scheduledAtMs: number): void {
    const { sites, region, figures, runs } = this.options;
    const result = simulatedResult(sites, monitorKey, region, scheduledAtMs);
    const encoded = encodeResult(result);
    figures.encoded(encoded.length);
    runs.done(monitorKey, region, scheduledAtMs);
    this.spool.appendDue(encoded, this.urgency.isUrgent(result, false), monitorKey, scheduledAtMs);
  }
}
