import type { Route } from '../../platform/http/route.js';
import type { AlertRules } from '../channels/index.js';
import { actionGroupRoutes } from './groups/action-group-routes.js';
import type { AlertDeps } from '../delivery/index.js';
import { channelRoutes } from './groups/channel-routes.js';
import { monitorActionGroupRoutes } from './groups/monitor-action-group-routes.js';
import { recipientLinkRoutes } from './consent/recipient-link-routes.js';
import { recipientRoutes } from './consent/recipient-routes.js';

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
