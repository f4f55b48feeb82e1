/** True if the service closed an incident for a reason that is no recovery: SQL in which `$1` is the workspace. @param incidentId a column */
export function isClosedWithoutRecovery(incidentId: string): string {
  return `EXISTS (SELECT FROM incident_event event
    WHERE event.workspace_id = $1 AND event.incident_id = ${incidentId} AND event.type = 'closed' AND event.detail ? 'reason')`;
}
