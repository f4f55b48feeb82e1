import { setSuspension } from '../../capabilities/users/index.js';
import { suspensionListeners } from '../compose-owner-changes.js';
import type { AdminDeps } from './command.js';
import { userOf } from './user-commands.js';

function commandOf(name: 'suspend' | 'unsuspend', summary: string) {
  const isSuspended = name === 'suspend';
  const about = { name, usage: `${name} --user EMAIL|USER-ID [--json]`, summary };
  return {
    ...about,
    check: (args: readonly string[]) => userOf(about, args, 'json'),
    async run({ db, clock }: Pick<AdminDeps, 'db' | 'clock'>, args: readonly string[]): Promise<string[]> {
      const { user, flag: json } = userOf(about, args, 'json');
      const deps = { db, clock, suspensionListeners: suspensionListeners({ clock }) };
      const { account, isChanged, workspaces } = await setSuspension(deps, user, isSuspended);
      if (json) return [JSON.stringify({ account, isSuspended, isChanged, workspaces })];
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

export const SUSPENSION_COMMANDS = [
  commandOf(
    'suspend',
    'Stop everything of an account without losing any of it: sign-in, checks, deliveries, public pages.',
  ),
  commandOf('unsuspend', 'Restore a suspended account as it was.'),
];
