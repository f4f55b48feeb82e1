import { resource } from '../../platform/http/resource.js';
import type { Route } from '../../platform/http/route.js';
import { createWorkspace } from './create-workspace.js';
import { deleteWorkspace } from './delete-workspace.js';
import { getWorkspace, listWorkspaces, steadyPart } from './read-workspaces.js';
import { transferOwnership } from './transfer-ownership.js';
import { updateWorkspace } from './update-workspace.js';
import type { WorkspaceChangeDeps } from './workspace-deps.js';
import {
  transferSchema,
  type Workspace,
  workspaceCreateSchema,
  workspacePatchSchema,
  workspaceSchema,
} from './workspace-schemas.js';

const workspace = resource({
  path: '/api/v1/workspaces',
  name: 'workspace',
  tag: 'Workspaces and members',
  schema: workspaceSchema,
  read: { scopes: ['account.read'], role: 'Viewer' },
  write: { scopes: ['account.write'], role: 'Owner' },
  workspaceParam: 'id',
  // The ETag covers neither plan, limits and usage, which change by themselves, nor the caller's role.
  answer: (view: Workspace) => ({ body: view, resource: steadyPart(view) }),
});

export function workspaceRoutes(deps: WorkspaceChangeDeps): Route[] {
  return [
    workspace.list({
      role: null,
      summary: 'List my workspaces with my role in each',
      description:
        'Newest first. Needs no workspace itself. Those where I am suspended are left out. With an API key: its workspace only.',
      run: ({ caller }, rows) => listWorkspaces(deps, caller, rows),
    }),
    workspace.create({
      role: null,
      apiKeys: false,
      summary: 'Create a workspace',
      description:
        'You become its Owner, so that your plan and limits hold there. An account owns at most 100. Where the operator keeps this to operators, it is a 403 that names whom to ask.',
      body: workspaceCreateSchema,
      faults: ['not_invited', 'plan_limit_exceeded', 'not_found'],
      run: ({ caller, via, body }) => createWorkspace(deps, { caller, via }, body),
    }),
    workspace.get({
      summary: 'Get a workspace with its plan, limits, usage and settings',
      run: ({ actor }) => getWorkspace(deps, actor),
    }),
    workspace.update({
      method: 'patch',
      role: 'Admin',
      summary: 'Rename a workspace or change its settings',
      description:
        'A JSON Merge Patch (RFC 7396): a setting of null goes back to its default. Another `incidentQuorum` or `autoCloseIncidents` also holds for the incidents that are open.',
      body: workspacePatchSchema,
      run: ({ actor, body }) => updateWorkspace(deps, actor, body),
    }),
    workspace.delete({
      apiKeys: false,
      summary: 'Delete a workspace with all that is in it',
      description:
        'Its monitors are checked no more. A personal workspace goes only with its account, or once it was transferred.',
      faults: ['personal_workspace'],
      run: ({ actor }) => deleteWorkspace(deps, actor),
    }),
    workspace.change({
      method: 'post',
      below: '/transfer-ownership',
      operationId: 'transferOwnership',
      audits: ['workspace.ownership_transferred'],
      apiKeys: false,
      summary: 'Make another member the Owner',
      description:
        "You become an Admin. The new Owner's plan and limits hold at once. What a smaller plan does not have is kept and not run (`planRestricted`). Of what came in and is over its numbers, the newest monitors are paused, the newest action groups disabled and the newest status pages unpublished; what the new Owner had stays as it was. A personal workspace stops being personal, and you get a new, empty one.",
      body: transferSchema,
      faults: ['plan_limit_exceeded'],
      run: ({ actor, body }) => transferOwnership(deps, actor, body.memberId),
    }),
  ];
}
