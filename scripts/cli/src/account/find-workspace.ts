import { isUuid } from '@watchpost/shared/id';
import type { Workspace } from '@watchpost/control-plane/capabilities/workspaces/workspace-schemas';
import { CommandError } from '../command/command-error.js';
import type { ApiClient } from '../http/api-client.js';

const MOST = 1_000;

/**
 * The id of a workspace that is named by its id or its name.
 * @throws CommandError where no workspace of the caller has the name, or several have
 */
export async function findWorkspaceId(api: ApiClient, named: string): Promise<string> {
  if (isUuid(named.toLowerCase())) return named.toLowerCase();
  const { items } = await api.list<Workspace>('/api/v1/workspaces', {}, MOST);
  const found = items.filter(({ name }) => name.toLowerCase() === named.toLowerCase());
  if (found.length === 1) return found[0]!.id;
  throw new CommandError(
    found.length === 0
      ? `You belong to no workspace ${JSON.stringify(named)}.`
      : `${found.length} of your workspaces are named ${JSON.stringify(named)}.`,
    { code: 'no_workspace', nextStep: '`watchpost workspaces` lists them with their ids; name one by its id.' },
  );
}
