import type { Route } from '../../platform/http/route.js';
import type { OnCallDeps } from './on-call-deps.js';
import { routingRoutes } from './routing-routes.js';
import { scheduleRoutes } from './schedule-routes.js';
import { teamScheduleRoutes } from './team-schedule-routes.js';
import { teamRoutes } from './team-routes.js';

/** Teams, schedules and routing over REST. */
export function onCallRoutes(deps: OnCallDeps): Route[] {
  return [...teamRoutes(deps), ...scheduleRoutes(deps), ...teamScheduleRoutes(deps), ...routingRoutes(deps)];
}
