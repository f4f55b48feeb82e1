import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILD, VERSION } from '@watchpost/shared/build';
import type { Delta, PlaceEgress, Snapshot, Welcome } from '@watchpost/shared/wire/messages';
import type { AgentHealth } from './metrics/operator-server.js';
import { ResultReporter } from './report/report-results.js';
import type { AgentParts } from './agent-parts.js';
import { FirstStart } from './schedule/first-start.js';
import { isTokenRefused, type SessionEnd } from './sync/decide-retry.js';
import { type Identity, readIdentity, writeIdentity } from './sync/identity-file.js';
import { keepSession } from './sync/keep-session.js';
import { runPullSession } from './sync/pull-session.js';

/** EX_CONFIG of sysexits.h: a service manager must not restart the agent before its configuration has changed. */
export const EXIT_CONFIG = 78;

const SWEEP_MS = 1_000;
/** For leaving, and for running checks to end. */
const FINISH_CHECKS_MS = 10_000;
const SEND_BACKLOG_MS = 5_000;
const ABORTED_CHECKS_MS = 1_000;
const DEFAULT_BATCH = 500;

/** The life cycle of an agent: it starts from its disk, follows the control plane, and releases everything at its end. */
export class Agent {
  /** Resolves with the exit code when everything has ended. */
  readonly ended: Promise<number>;
  private end!: (code: number) => void;
  private readonly pulling = new AbortController();
  private readonly leaving = new AbortController();
  private readonly reporting = new AbortController();
  private readonly reporter: ResultReporter;
  private status: AgentHealth['status'] = 'starting';
  private region: string | null = null;
  private readonly connected = { assignments: false, results: false };
  private maxBatchResults = DEFAULT_BATCH;
  private leaveWithinMs = 0;
  private reports: Promise<void> | undefined;
  private pulled: Promise<void> | undefined;
  /** No update changes the schedule any more. */
  private isHalted = false;
  private sweeper: NodeJS.Timeout | undefined;
  private readonly firstStart: FirstStart;

  constructor(private readonly parts: AgentParts) {
    this.ended = new Promise((resolve) => (this.end = resolve));
    const { link, spool, logger, metrics } = parts;
    this.firstStart = new FirstStart(parts.scheduler, parts.isCompleted);
    this.reporter = new ResultReporter({
      link,
      spool,
      logger,
      signal: this.reporting.signal,
      maxBatchResults: () => this.maxBatchResults,
      onConnection: (connected) => this.setConnected('results', connected),
      onReconnect: () => metrics.reconnects.inc({ stream: 'results' }),
      onRejected: (sequence) => {
        metrics.spoolRefused.inc();
        logger.error({ sequence }, 'the control plane can never accept this result; it is skipped');
      },
      onNotStored: (results, reason) => {
        metrics.spoolRefused.inc(results);
        logger.error({ results, reason }, 'the control plane acknowledged results without storing them');
      },
      onReplay: (results) => logger.info({ results }, 'sending acknowledged results again'),
      onRefused: (message, end) => void this.refused(message, end),
    });
  }

  health(): AgentHealth {
    const { spool } = this.parts;
    return {
      status: this.status,
      version: VERSION,
      region: this.region,
      connected: this.connected.assignments,
      checks: this.firstStart.checks,
      spoolDepth: spool.depth,
      visibility: this.parts.references.visibility,
    };
  }

  start(): void {
    const { parts } = this;
    const identity = readIdentity(parts.identityPath);
    const isOwnFolder = identity?.credential === parts.credential;
    if (isOwnFolder) parts.egress.set(identity.egress);
    // Before the welcome, results are sent only if the folder belongs to this credential.
    this.firstStart.hold(parts.assignment.load());
    parts.references.start();
    if (isOwnFolder) {
      this.region = identity.region;
      this.beginReporting();
    }
    this.sweeper = setInterval(() => parts.spool.sweep(), SWEEP_MS);
    this.status = 'ok';
    parts.logger.info(
      {
        version: BUILD,
        checks: this.firstStart.checks,
        spoolDepth: parts.spool.depth,
        revision: parts.assignment.revision,
      },
      'agent started',
    );
    parts.link.keepRenewed();
    this.pulled = this.pull();
  }

  /** Stops: gives its checks to other agents, starts no more of them, lets running ones end, and sends the spool. */
  async stop(reason: string): Promise<void> {
    if (this.status === 'stopping') return;
    this.status = 'stopping';
    this.firstStart.giveUp();
    const { scheduler, runner, spool, logger } = this.parts;
    logger.info({ reason, running: scheduler.running, spoolDepth: spool.depth }, 'agent stopping');
    const startedAt = performance.now();
    await this.leave();
    this.isHalted = true;
    scheduler.stop();
    this.pulling.abort();
    const leftMs = FINISH_CHECKS_MS - (performance.now() - startedAt);
    await Promise.race([scheduler.idle(), sleep(Math.max(0, leftMs))]);
    runner.abortAll();
    await Promise.race([scheduler.idle(), sleep(ABORTED_CHECKS_MS)]);
    spool.hurry();
    const until = performance.now() + SEND_BACKLOG_MS;
    while (this.connected.results && spool.depth > 0 && performance.now() < until) await sleep(20);
    this.reporting.abort();
    await Promise.race([this.reports, sleep(SEND_BACKLOG_MS)]);
    this.finish(0);
  }

  /** Goes on with its checks until other agents have taken them over, or the stream ends. */
  private async leave(): Promise<void> {
    if (!this.connected.assignments || !this.firstStart.hasBegun || this.leaveWithinMs === 0) return;
    this.leaving.abort();
    await Promise.race([this.pulled, sleep(Math.min(this.leaveWithinMs, FINISH_CHECKS_MS))]);
  }

  private async refused(message: string, end: SessionEnd): Promise<void> {
    if (this.status === 'stopping') return;
    this.status = 'stopping';
    this.isHalted = true;
    this.firstStart.giveUp();
    const { scheduler, runner, assignment, logger } = this.parts;
    logger.fatal({ code: end.code }, `the agent stops because it was refused: ${message}`);
    scheduler.stop();
    if (isTokenRefused(end.code)) assignment.clear();
    this.pulling.abort();
    this.reporting.abort();
    runner.abortAll();
    await Promise.race([scheduler.idle(), sleep(ABORTED_CHECKS_MS)]);
    this.finish(EXIT_CONFIG);
  }

  private finish(code: number): void {
    const { spool, logger, link, release } = this.parts;
    clearInterval(this.sweeper);
    this.parts.references.stop();
    this.parts.paths?.close();
    link.stop();
    const left = spool.depth;
    spool.close();
    release();
    logger.info({ code, spoolDepth: left }, 'agent ended');
    this.end(code);
  }

  private beginReporting(): void {
    this.reports ??= this.reporter.run();
  }

  private pull(): Promise<void> {
    const { link, clock, assignment, scheduler, spool, onDemand, metrics, logger } = this.parts;
    return keepSession({
      name: 'assignments',
      logger,
      signal: this.pulling.signal,
      onReconnect: () => metrics.reconnects.inc({ stream: 'assignments' }),
      onRefused: (message, end) => void this.refused(message, end),
      session: async (signal) => {
        assignment.startSession();
        clock.startSession();
        const blocked = await link.prepare();
        if (blocked) return blocked;
        const end = await runPullSession(
          link,
          {
            hello: () => ({
              agentVersion: BUILD,
              platform: `${process.platform}-${process.arch}`,
              canTrace: this.parts.paths !== null,
              capabilities: [...this.parts.capabilities],
              lastRevision: assignment.revision,
              epoch: assignment.epoch,
            }),
            onWelcome: (welcome) => this.welcomed(welcome),
            onTime: (serverTimeMs) => clock.observe(serverTimeMs),
            onUpdate: (update, serverTimeMs) => this.apply(update, serverTimeMs),
            onEgress: (egress) => this.allow(egress),
            onRunRequest: (run) => onDemand.run(run),
            heartbeat: () => ({
              spoolDepth: spool.depth,
              checks: scheduler.size,
              lagP99Us: metrics.takeStartLagP99Us(),
              visibility: this.parts.references.visibility,
            }),
            onDrain: (reason) => {
              if (this.leaving.signal.aborted) return this.pulling.abort();
              logger.info({ reason }, 'the control plane asks the agent to reconnect');
              link.renew();
              this.reporter.reconnect();
            },
          },
          signal,
          this.leaving.signal,
        );
        this.setConnected('assignments', false);
        // A leaving agent does not come back.
        if (this.leaving.signal.aborted) this.pulling.abort();
        return end;
      },
    });
  }

  private async apply(update: Snapshot | Delta, serverTimeMs: number): Promise<number | undefined> {
    const { assignment, ownership } = this.parts;
    if (this.isHalted) return undefined;
    // An update changes the restored checks, so these are on the schedule first.
    if (update.kind === 'delta' || update.last) this.firstStart.restore();
    const revision =
      update.kind === 'snapshot'
        ? await assignment.applySnapshot(update, serverTimeMs)
        : await assignment.applyDelta(update, serverTimeMs);
    if (revision === undefined) return undefined;
    this.firstStart.begin();
    ownership.confirmed();
    return revision;
  }

  private welcomed({ agentId, region, settings, databaseHistory, egress }: Welcome): void {
    const { parts } = this;
    parts.egress.set(egress);
    this.firstStart.timeKnown();
    const known = readIdentity(parts.identityPath);
    // A process that does not know the history changes nothing.
    const identity = {
      credential: parts.credential,
      region,
      databaseHistory: databaseHistory || (known?.databaseHistory ?? ''),
      egress,
    };
    if (known && known.region !== region) {
      parts.logger.warn(
        { formerRegion: known.region, region, results: parts.spool.depth },
        'DATA_DIR belonged to an agent of another region; its results are discarded',
      );
      parts.spool.discard();
    }
    const isOtherHistory = known !== undefined && known.databaseHistory !== identity.databaseHistory;
    if (isOtherHistory && known.databaseHistory !== '') {
      parts.logger.warn('the database of the control plane was replaced; the newest results are sent again');
      this.reporter.replay();
    }
    if (!isDeepStrictEqual(known, JSON.parse(JSON.stringify(identity)))) this.keepIdentity(identity);
    this.region = region;
    this.leaveWithinMs = settings.leaveWithinMs;
    this.maxBatchResults = Math.max(1, settings.maxBatchResults || DEFAULT_BATCH);
    this.setConnected('assignments', true);
    parts.logger.info(
      { agentId, region, clockOffsetMs: Math.round(parts.clock.offsetMs) },
      'connected to the control plane',
    );
    this.beginReporting();
  }

  /** A restart checks nothing that the place does not allow: its ranges are kept with its assignment. */
  private allow(egress: PlaceEgress): void {
    const { parts } = this;
    parts.egress.set(egress);
    parts.logger.info(egress, 'the ranges of the private location were changed');
    const known = readIdentity(parts.identityPath);
    if (known) this.keepIdentity({ ...known, egress });
  }

  private keepIdentity(identity: Identity): void {
    try {
      writeIdentity(this.parts.identityPath, identity);
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'the identity of the agent could not be stored on disk');
    }
  }

  private setConnected(stream: 'assignments' | 'results', connected: boolean): void {
    this.connected[stream] = connected;
    if (stream === 'assignments') {
      this.parts.ownFailures.setConnected(connected);
      if (connected) this.parts.ownership.streamOpened();
      else this.parts.ownership.streamEnded();
    }
    this.parts.metrics.connected.set({ stream }, connected ? 1 : 0);
  }
}
