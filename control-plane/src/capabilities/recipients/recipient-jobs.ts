import { DAY_MS } from '@watchpost/shared/time';
import type { RecurringJob } from '../../platform/jobs/job-runner.js';
import type { PeriodicTask } from '../../platform/jobs/periodic-task.js';
import type { AlertDeps } from '../delivery/index.js';
import { purgeBudgets } from '../plans/index.js';
import { addUnaskedRecipients } from './consent/add-pending-recipients.js';
import { anyRecipientStore, IS_REQUEST_DUE } from './consent/recipient-store.js';
import { type RequestDeps, sendConfirmationRequests } from './consent/send-confirmation-requests.js';
import { formerSecretStore } from './groups/action-group-store.js';

const UNANSWERED_DAYS = 30;

export function confirmationTask(deps: RequestDeps): PeriodicTask {
  return {
    name: 'ask_recipients',
    everyMs: 2_000,
    isDue: IS_REQUEST_DUE,
    run: () => sendConfirmationRequests(deps),
  };
}

/**
 * Asks recipients that have to confirm by now, and deletes those that never answered and are in no group any more, the
 * budgets of former days, and signing secrets that were replaced more than 24 h ago.
 */
export function recipientJobs(deps: Omit<AlertDeps, 'secretBox'>): RecurringJob[] {
  const { db, clock } = deps;
  const purge = () =>
    db.transaction(async (tx) => {
      await anyRecipientStore.purgeUnanswered(tx, new Date(clock.now() - UNANSWERED_DAYS * DAY_MS));
      await purgeBudgets(tx, clock.now());
    });
  return [
    {
      name: 'note_unasked_recipients',
      cron: '3 * * * *',
      run: () => db.transaction((tx) => addUnaskedRecipients(deps, tx, null)),
    },
    { name: 'purge_recipients', cron: '53 3 * * *', run: purge },
    {
      name: 'forget_former_webhook_secrets',
      cron: '27 * * * *',
      run: () => db.transaction((tx) => formerSecretStore.purge(tx, new Date(clock.now()))),
    },
  ];
}
