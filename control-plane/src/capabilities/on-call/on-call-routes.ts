import type { Route } from '../../platform/http/route.js';
import { escalationPolicyRoutes } from './escalation-policy-routes.js';
import type { ScheduleDeps, TeamDeps } from './on-call-deps.js';
import { routingRoutes } from './routing-routes.js';
import { scheduleRoutes } from './schedule-routes.js';
import { swapLinkRoutes } from './swap-link-routes.js';
import { swapRoutes } from './swap-routes.js';
import { teamScheduleRoutes } from './team-schedule-routes.js';
import { teamRoutes } from './team-routes.js';

/** Teams, schedules and routing over REST. */
export function onCallRoutes(deps: ScheduleDeps & TeamDeps): Route[] {
  return [
    ...teamRoutes(deps),
    ...scheduleRoutes(deps),
    ...teamScheduleRoutes(deps),
    ...escalationPolicyRoutes(deps),
    ...swapRoutes(deps),
    ...swapLinkRoutes(deps),
    ...routingRoutes(deps),
  ];
}
