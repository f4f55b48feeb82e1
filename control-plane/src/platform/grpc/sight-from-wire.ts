import { Sight as WireSight } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { AgentHeartbeat } from './agent-gateway.js';

/** What a version of the agent says that this one does not know is as if it could not tell. */
export function sightFromWire(sight: WireSight): AgentHeartbeat['sight'] {
  if (sight === WireSight.SIGHT_BLIND) return 'blind';
  return sight === WireSight.SIGHT_SEEING ? 'seeing' : 'unknown';
}
