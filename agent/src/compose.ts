import { join } from 'node:path';
import { BUILD, VERSION } from '@watchpost/shared/build';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Agent } from './agent.js';
import { ServerClock, systemTimeSources } from './clock/server-clock.js';
import { Suspension } from './clock/suspension.js';
import { ConfigError, type AgentConfig } from './config.js';
import { AgentMetrics } from './metrics/agent-metrics.js';
import { startOperatorServer } from './metrics/operator-server.js';
import { SystemNames } from '@watchpost/shared/names/system-names';
import { Paths } from './paths/paths.js';
import { canTrace, runTrace } from './paths/run-trace.js';
import { createProbes } from './probes/index.js';
import { canPing, pingTurns } from './probes/run-ping.js';
import { OwnFailures } from './references/own-failures.js';
import { reachReference } from './references/reference.js';
import { ReferenceWatch } from './references/reference-watch.js';
import { CompletedTimes } from './report/completed-times.js';
import { EvidenceBudget, evidenceLimits } from './report/evidence-budget.js';
import { ResultReporter } from './report/result-reporter.js';
import { CheckRunner } from './runner/check-runner.js';
import { LoopLagSampler } from './runner/loop-lag.js';
import { hasOutsideAddress, remembered } from './runner/outside-address.js';
import { Scheduler } from './schedule/scheduler.js';
import { systemWakeup } from './schedule/scheduler-options.js';
import { lockDataDir } from './spool/data-dir-lock.js';
import { openSpoolDisk } from './spool/spool-disk.js';
import { spoolEvents } from './spool/spool-events.js';
import { Spool } from './spool/spool.js';
import { DEFAULT_SPOOL_LIMITS } from './spool/spool-options.js';
import { AgentCredential } from './sync/agent-credential.js';
import { Assignment } from './sync/assignment.js';
import { AssignmentFile } from './sync/assignment-file.js';
import { ControlPlaneLink } from './sync/control-plane-link.js';
import { EgressOfPlace } from './sync/place-egress.js';
import { OnDemandRuns } from './sync/on-demand-runs.js';
import { CheckOwnership } from './sync/check-ownership.js';

/** Checks that run at the same time. One owner gets at most half of them; its other checks wait. */
const MAX_RUNNING = 1_000;

/**
 * Builds an agent and opens its folder and its port; no check runs before `start`.
 * @throws DataDirInUse where another agent uses the same folder
 * @throws ConfigError where there is neither a token nor a certificate
 */
export async function composeAgent(config: AgentConfig, logger: Logger): Promise<Agent> {
  const unlock = lockDataDir(config.dataDir);
  const clock = new ServerClock(systemTimeSources);
  const credential = openCredential(config, clock, logger);
  const registry = new Registry();
  const metrics = new AgentMetrics(registry);
  const completed = new CompletedTimes(clock.now());
  const spool = new Spool({
    disk: openSpoolDisk(join(config.dataDir, 'spool')),
    clock,
    visit: completed.visit,
    events: spoolEvents(metrics, logger, systemTimeSources.monotonicMs),
    limits: { ...DEFAULT_SPOOL_LIMITS, maxBytes: config.spoolMaxBytes },
  });
  const [isAbleToPing, isAbleToTrace] = await Promise.all([canPing('ping'), canTrace('traceroute')]);
  const names = new SystemNames({ resolvConf: config.resolvConf });
  const egress = new EgressOfPlace(config);
  const probes = createProbes({
    monitorEgress: egress.monitor,
    publicEgress: egress.public,
    extraCertificates: config.extraRoots,
    now: () => clock.now(),
    version: VERSION,
    names,
    pingProgram: isAbleToPing ? 'ping' : null,
    dnsPort: config.nameServerPort,
    rootAnchors: config.rootAnchors,
    onLookupAbandoned: (cause) => metrics.lookupsAbandoned.inc({ cause }),
    onError: (error) => logger.error({ err: error }, 'a probe failed with an unexpected error'),
  });
  const references = new ReferenceWatch({
    references: config.references,
    reach: reachReference,
    now: systemTimeSources.monotonicMs,
    onChange: (visibility) =>
      visibility === 'blind'
        ? logger.warn('no reference target answers: the network of this agent is down')
        : logger.info('a reference target answers again: the network of this agent is back'),
  });
  const ownFailures = new OwnFailures();
  const loopLag = new LoopLagSampler();
  const runner = new CheckRunner({
    probes,
    clock,
    loopLag,
    suspension: new Suspension(systemTimeSources),
    hasRoute: remembered(systemTimeSources.monotonicMs, hasOutsideAddress),
    references,
    ownFailures,
    logger,
  });
  const reporter = new ResultReporter({
    metrics,
    spool,
    evidence: new EvidenceBudget(evidenceLimits(config.spoolMaxBytes), () => spool.hasBacklog),
    monotonicMs: systemTimeSources.monotonicMs,
  });
  const paths = isAbleToTrace
    ? new Paths({
        trace: (address, port, signal) => runTrace('traceroute', address, port, signal),
        nameOf: (address) => names.nameOf(address),
        egress,
        report: (spec, result) => reporter.reportAgain(spec, result),
        onTrace: (outcome) => metrics.traces.inc({ outcome }),
        now: () => clock.now(),
      })
    : null;
  const ownership = new CheckOwnership();
  const scheduler = new Scheduler({
    clock,
    wakeup: loopLag.share(systemWakeup),
    maxRunning: MAX_RUNNING,
    run: async (spec, scheduledAtMs) => {
      const result = await runner.run(spec, scheduledAtMs);
      reporter.report(spec, result, scheduledAtMs === spec.changedAtMs);
      paths?.consider(spec, result);
    },
    afterStandstill: () => ownership.afterStandstill(),
    tooLate: (spec, scheduledAtMs, lagMs, cause) => {
      metrics.notStarted.inc({ cause });
      // A check that waits for other checks of its own owner is no lag of the agent.
      if (cause === 'agentBusy') metrics.noteStart(lagMs);
      reporter.report(spec, runner.tooLate(spec, scheduledAtMs, lagMs, cause), false);
    },
    onStart(lagMs, caughtUp) {
      if (caughtUp) return metrics.caughtUp.inc();
      metrics.noteStart(lagMs);
    },
    onSkipped(times) {
      metrics.timesSkipped.inc(times);
      logger.warn({ times }, 'the agent stood still: scheduled times that are too old to catch up on are skipped');
    },
  });
  const assignment = new Assignment(
    scheduler,
    new AssignmentFile(join(config.dataDir, 'assignment'), credential.name, credential.fileSecret),
    logger,
  );
  metrics.observe({
    scheduled: () => scheduler.size,
    running: () => scheduler.running,
    waiting: () => scheduler.waiting,
    namesOpen: () => probes.names.open,
    namesWaiting: () => probes.names.waiting,
    pingsWaiting: () => pingTurns.waiting,
    tracesWaiting: () => paths?.waiting ?? 0,
    spoolDepth: () => spool.depth,
    spoolBytes: () => spool.bytes,
    spoolHeld: () => spool.heldRecords,
    clockOffsetMs: () => clock.offsetMs,
    canTrace: () => isAbleToTrace,
    isBlind: () => references.visibility === 'blind' || ownFailures.isLikely,
    certificateExpiresMs: () => credential.expiresMs,
  });
  const agent = new Agent({
    credential: credential.name,
    identityPath: join(config.dataDir, 'identity.json'),
    capabilities: probes.capabilities,
    logger,
    clock,
    metrics,
    spool,
    scheduler,
    runner,
    references,
    paths,
    ownFailures,
    assignment,
    isCompleted: completed.isCompleted,
    link: new ControlPlaneLink(config.controlPlaneUrls, credential, logger),
    onDemand: new OnDemandRuns({
      clock,
      run: (spec, atMs, deadline) => runner.run(spec, atMs, deadline),
      onRun: (outcome) => metrics.onDemand.inc({ outcome }),
    }),
    ownership,
    egress,
    release: () => {
      server.close();
      server.closeAllConnections();
      unlock();
    },
  });
  const server = await startOperatorServer({
    host: config.metricsHost,
    port: config.metricsPort,
    registry,
    health: () => agent.health(),
  }).catch((error: unknown) => {
    unlock();
    throw error;
  });
  logger.info({ address: server.address() }, 'serving /metrics and /health');
  return agent;
}

function openCredential(config: AgentConfig, clock: ServerClock, logger: Logger): AgentCredential {
  const { controlPlaneUrls, token, extraRoots, dataDir } = config;
  const isTls = controlPlaneUrls[0]!.protocol === 'https:';
  const path = join(dataDir, 'credential.json');
  try {
    return new AgentCredential({ isTls, token, extraRoots, path, clock, logger, version: BUILD });
  } catch {
    throw new ConfigError([
      'AGENT_TOKEN is not set and DATA_DIR has no certificate; set it to the token that `npm run admin -- agents create` prints once',
    ]);
  }
}
