import { parseArgs } from 'node:util';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Database } from '../../platform/db/database.js';
import { setSuspension, type SuspensionListener } from './suspend-user.js';

/** The operators' commands run in their own process and therefore get the listeners as arguments. */
type ListenersOf = (deps: { clock: Clock }) => readonly SuspensionListener[];

function commandOf(name: 'suspend' | 'unsuspend', listenersOf: ListenersOf, summary: string) {
  const usage = `${name} --user EMAIL|USER-ID`;
  const userOf = (args: readonly string[]): string => {
    try {
      const { values } = parseArgs({ args: [...args], options: { user: { type: 'string' } } });
      if (values.user) return values.user;
    } catch (error) {
      throw new Fault('validation_failed', `${(error as Error).message} Usage: ${usage}`);
    }
    throw new Fault('validation_failed', `Usage: ${usage}`);
  };
  return {
    name,
    usage,
    summary,
    check: userOf,
    /** @throws Fault `validation_failed`, `not_found` */
    async run({ db, clock }: { db: Database; clock: Clock }, args: readonly string[]): Promise<string[]> {
      const isSuspended = name === 'suspend';
      const deps = { db, clock, suspensionListeners: listenersOf({ clock }) };
      const { account, isChanged, workspaces } = await setSuspension(deps, userOf(args), isSuspended);
      const owned = workspaces === 1 ? '1 workspace' : `${workspaces} workspaces`;
      if (!isChanged)
        return [`${account} is ${isSuspended ? 'suspended already' : 'not suspended'}: nothing was changed.`];
      return [
        isSuspended
          ? `${account} is suspended: checks, deliveries and public pages of ${owned} rest. \`unsuspend\` restores them.`
          : `${account} is no longer suspended: checks, deliveries and public pages of ${owned} run again.`,
      ];
    },
  };
}

/** `admin suspend --user EMAIL|USER-ID` and `admin unsuspend --user EMAIL|USER-ID`. */
export function suspensionCommands(listenersOf: ListenersOf) {
  const stop = 'Stop everything of an account without losing any of it: sign-in, checks, deliveries, public pages.';
  return [
    commandOf('suspend', listenersOf, stop),
    commandOf('unsuspend', listenersOf, 'Restore a suspended account as it was.'),
  ];
}
