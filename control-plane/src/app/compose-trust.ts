import { requestSecondOpinion, type Fleet } from '../capabilities/fleet/index.js';
import type { RecurringJob } from '../platform/jobs/job-runner.js';
import { monitorChecks } from '../capabilities/monitors/index.js';
import {
  AnswerHolds,
  purgeTrustRecords,
  SecondOpinions,
  type OperatorNotice,
  type ResultsMetrics,
} from '../capabilities/verdicts/index.js';
import type { Platform } from './platform.js';

/**
 * What makes a verdict one to trust: second opinions, which agents of other regions are asked for, the comparison of answers
 * before they open incidents, and notices to the operators.
 */
export function composeTrust(
  { config, db, clock, logger, secretBox }: Platform,
  metrics: ResultsMetrics,
  fleet: Pick<Fleet, 'runNow'>,
) {
  const secondOpinions = new SecondOpinions({
    db,
    clock,
    metrics,
    askElsewhere(failure, avoid) {
      const checksOf = (...[tx, key]: [Parameters<typeof monitorChecks>[1], number]) =>
        monitorChecks({ secretBox, logger }, tx, key);
      return requestSecondOpinion({ db, fleet, checksOf }, failure, avoid);
    },
    onError: (error) => logger.warn({ err: error }, 'a second opinion failed'),
  });
  const answerHolds = new AnswerHolds({
    db,
    clock,
    logger,
    metrics,
    onError: (error) => logger.warn({ err: error }, 'held answers could not be compared: the sweep does it'),
  });
  const purge: RecurringJob = {
    name: 'purge_trust_records',
    cron: '33 4 * * *',
    run: () => purgeTrustRecords({ db, clock, retentionDays: config.retentionRawDays }),
  };
  return {
    secondOpinions,
    answerHolds,
    onNotice: ({ kind, region, message, detail }: OperatorNotice) =>
      logger[kind === 'region_suspect' ? 'warn' : 'info']({ notice: kind, region, ...detail }, message),
    onJudgementError: (error: unknown) =>
      logger.warn({ err: error }, 'whether regions are suspect could not be decided'),
    // Anybody can cause it: one line, without a stack.
    onUndecided: (monitorKeys: readonly number[], error: unknown) =>
      logger.warn(
        { monitors: monitorKeys.length, monitorKey: monitorKeys[0], reason: String(error).slice(0, 300) },
        'verdicts could not be decided; they are tried again',
      ),
    jobs: [purge],
  };
}
