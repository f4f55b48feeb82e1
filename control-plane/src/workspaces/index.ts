export { createPersonalWorkspace } from './create-personal-workspace.js';
export { resolveWorkspace, type WorkspaceDeps } from './resolve-workspace.js';
export { getWorkspace, listWorkspaces } from './read-workspaces.js';
export { seedDemoPrincipals } from './seed-demo-principals.js';
export { workspaceRoutes } from './workspace-routes.js';
