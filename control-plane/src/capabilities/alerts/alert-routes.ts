import type { Route } from '../../platform/http/route.js';
import type { AlertRules } from './channels/field-kinds.js';
import { actionGroupRoutes } from './action-group-routes.js';
import type { AlertDeps } from './alert-deps.js';
import { channelRoutes } from './channel-routes.js';
import { monitorActionGroupRoutes } from './monitor-action-group-routes.js';
import { recipientLinkRoutes } from './recipients/recipient-link-routes.js';
import { recipientRoutes } from './recipients/recipient-routes.js';

/** Action groups over REST, the legacy interface included. */
export function alertRoutes(deps: AlertDeps, rules: AlertRules): Route[] {
  return [
    ...actionGroupRoutes(deps),
    ...channelRoutes(deps, rules),
    ...recipientRoutes(deps),
    ...recipientLinkRoutes(deps),
    ...monitorActionGroupRoutes(deps, rules),
  ];
}
