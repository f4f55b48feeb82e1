import type { Role } from '@watchpost/control-plane/platform/identity/caller';

/** One endpoint of the interface documents, independent of the code. */
export interface SpecRow {
  method: string;
  path: string;
  /** Each of these scopes is sufficient, as are scopes that imply them. Null: no token is required. */
  scopes: readonly string[] | null;
  /** The least role. Null: no workspace is required. */
  role: Role | null;
  /** Whether the tables of the specification contain it. If not, only the design does. */
  isInSpec: boolean;
}

/**
 * One line an endpoint: method, path, scope of the specification's Auth column, least role, then the
 * finer scopes of its domain. A `+` in front: beyond the specification.
 */
const TABLE = `
GET    /api/v1/monitor                                monitor.admin Viewer    monitor.read
GET    /api/v1/monitor/{id}                           monitor.admin Viewer    monitor.read
POST   /api/v1/monitor                                monitor.admin Editor    monitor.write
PUT    /api/v1/monitor/{id}                           monitor.admin Editor    monitor.write
DELETE /api/v1/monitor/{id}                           monitor.admin Editor    monitor.write
+POST  /api/v1/monitor/bulk                           monitor.admin Editor    monitor.write
+GET   /api/v1/maintenance-windows                    monitor.admin Viewer    monitor.read
+POST  /api/v1/maintenance-windows                    monitor.admin Editor    monitor.write
+GET   /api/v1/maintenance-windows/{id}               monitor.admin Viewer    monitor.read
+PUT   /api/v1/maintenance-windows/{id}               monitor.admin Editor    monitor.write
+DELETE /api/v1/maintenance-windows/{id}              monitor.admin Editor    monitor.write
+GET   /api/v1/maintenance-windows/{id}/occurrences   monitor.admin Viewer    monitor.read
+GET   /api/v1/maintenance-preview                    monitor.admin Viewer    monitor.read
+POST  /api/v1/maintenance-windows/{id}/end           monitor.admin Editor    monitor.write
+POST  /api/v1/maintenance-windows/{id}/skip-next     monitor.admin Editor    monitor.write
+POST  /api/v1/monitor/{id}/heartbeat/rotate          monitor.admin Editor    monitor.write
+GET   /api/v1/monitor/{id}/pings                     monitor.admin Viewer    monitor.read
+GET   /api/v1/tags                                   monitor.admin Viewer    monitor.read
POST   /api/v1/monitor-test                           monitor.admin Editor    monitor.write
POST   /api/v1/monitor-test/ssl                       monitor.admin Editor    monitor.write
POST   /api/v1/monitor-test/dns                       monitor.admin Editor    monitor.write

+GET   /api/v1/overview                               monitor.admin Viewer    monitor.read
+GET   /api/v1/regions                                monitor.admin Viewer    monitor.read
+GET   /api/v1/search                                 monitor.admin Viewer    monitor.read
+GET   /api/v1/monitor/{id}/results                   monitor.admin Viewer    monitor.read
+GET   /api/v1/monitor/{id}/region-timelines          monitor.admin Viewer    monitor.read
+GET   /api/v1/incident/{id}/notifications            monitor.admin Viewer    incident.read
+GET   /api/v1/monitor-charts                         monitor.admin Viewer    monitor.read
+GET   /api/v1/events                                 monitor.admin Viewer    monitor.read

GET    /api/v1/monitor/{id}/availability              monitor.admin Viewer    monitor.read
GET    /api/v1/monitor/{id}/latency                   monitor.admin Viewer    monitor.read
GET    /api/v1/monitor/{id}/ssl-status                monitor.admin Viewer    monitor.read
GET    /api/v1/monitor/{id}/ssl-history               monitor.admin Viewer    monitor.read
GET    /api/v1/monitor/{id}/dns-history               monitor.admin Viewer    monitor.read
GET    /api/v1/monitor/{id}/incident                  monitor.admin Viewer    monitor.read incident.read
POST   /api/v1/monitor/{id}/report/generate           monitor.admin Viewer    monitor.read
+GET   /api/v1/workspaces/{workspaceId}/monitor/{id}/report monitor.admin Viewer  monitor.read
+GET   /api/v1/report-schedules                        monitor.admin Viewer    monitor.read

GET    /api/v1/service-group                          monitor.admin Viewer    monitor.read
GET    /api/v1/service-group/{id}                     monitor.admin Viewer    monitor.read
PUT    /api/v1/service-group/{id}                     monitor.admin Editor    monitor.write
POST   /api/v1/service-group/{id}/move-monitors       monitor.write Editor
DELETE /api/v1/service-group/{id}                     monitor.admin Editor    monitor.write
+POST  /api/v1/service-group                          monitor.admin Editor    monitor.write
+POST  /api/v1/service-group/{id}/restore             monitor.admin Editor    monitor.write

GET    /api/v1/workspaces                             account.read  -
PATCH  /api/v1/workspaces/{id}                        account.write Admin
GET    /api/v1/workspaces/{id}/members                account.read  Viewer
PATCH  /api/v1/workspaces/{id}/members/{memberId}     account.write Admin
DELETE /api/v1/workspaces/{id}/members/{memberId}     account.write Admin
PATCH  /api/v1/workspaces/{id}/members/me             account.write Viewer
POST   /api/v1/workspaces/{id}/transfer-ownership     account.write Owner
+POST  /api/v1/workspaces                             account.write -
+GET   /api/v1/workspaces/{id}                        account.read  Viewer
+DELETE /api/v1/workspaces/{id}                       account.write Owner
+DELETE /api/v1/workspaces/{id}/members/me            account.write Viewer
+GET   /api/v1/workspaces/{id}/members/me             account.read  Viewer
+GET   /api/v1/workspaces/{id}/members/{memberId}     account.read  Viewer
+GET   /api/v1/workspaces/{id}/invitations/{invitationId} account.read Admin
+GET   /api/v1/workspaces/{id}/audit                  account.read  Admin

+GET   /api/v1/api-keys                               account.read  Viewer
+POST  /api/v1/api-keys                               account.write Viewer
+DELETE /api/v1/api-keys/{id}                         account.write Viewer

POST   /api/v1/workspaces/{id}/invitations            account.write Admin
GET    /api/v1/workspaces/{id}/invitations            account.read  Admin
DELETE /api/v1/workspaces/{id}/invitations/{invitationId} account.write Admin
POST   /api/v1/workspaces/{id}/invitations/{invitationId}/regenerate-link account.write Admin
POST   /api/v1/invitations/accept                     account.write -
POST   /api/v1/invitations/decline                    account.write -
+GET   /api/v1/invitation-links/{token}               account.read  -
+GET   /invitations/accept                            none          -

GET    /api/v1/teams                                  account.read  Viewer
GET    /api/v1/teams/{id}                             account.read  Viewer
POST   /api/v1/teams                                  account.write Admin
PATCH  /api/v1/teams/{id}                             account.write Admin
DELETE /api/v1/teams/{id}                             account.write Admin
POST   /api/v1/teams/{id}/members                     account.write Admin
PATCH  /api/v1/teams/{id}/members/{userId}            account.write Admin
DELETE /api/v1/teams/{id}/members/{userId}            account.write Admin
GET    /api/v1/teams/{id}/schedule                    account.read  Viewer
GET    /api/v1/teams/{id}/oncall                      account.read  Viewer
PUT    /api/v1/teams/{id}/schedule                    account.write Admin
+DELETE /api/v1/teams/{id}/schedule                   account.write Admin
POST   /api/v1/teams/{id}/schedule/overrides          account.write Admin
DELETE /api/v1/teams/{id}/schedule/overrides/{overrideId} account.write Admin
GET    /api/v1/teams/{id}/service-groups              account.read  Viewer
PUT    /api/v1/teams/{id}/service-groups/{serviceGroupId} account.write Admin
DELETE /api/v1/teams/{id}/service-groups/{serviceGroupId} account.write Admin
+GET   /api/v1/teams/{id}/schedule/preview            account.read  Viewer
+POST  /api/v1/teams/{id}/schedule/preview            account.write Admin
+GET   /api/v1/teams/{id}/schedule.ics                account.read  Viewer
+GET   /api/v1/teams/{id}/calendar-links              account.read  Viewer
+POST  /api/v1/teams/{id}/calendar-links              account.write Viewer
+DELETE /api/v1/teams/{id}/calendar-links/{linkId}    account.write Viewer
+GET   /api/v1/on-call/shifts                         account.read  Viewer
+GET   /calendar/{token}/on-call.ics                  none          -

GET    /api/v1/incident                               monitor.admin Viewer    incident.read
GET    /api/v1/incident/{id}                          monitor.admin Viewer    incident.read
PATCH  /api/v1/incident/{id}                          monitor.admin Responder incident.write
GET    /api/v1/incident/{incidentId}/notes            monitor.admin Viewer    incident.read
POST   /api/v1/incident/{incidentId}/notes            monitor.admin Responder incident.write
+GET   /api/v1/incident/{incidentId}/notes/{noteId}   monitor.admin Viewer    incident.read
PATCH  /api/v1/incident/{incidentId}/notes/{noteId}   monitor.admin Responder incident.write
DELETE /api/v1/incident/{incidentId}/notes/{noteId}   monitor.admin Responder incident.write
+GET   /api/v1/incident/{id}/evidence                 monitor.admin Viewer    incident.read
+GET   /api/v1/incident/{incidentId}/evidence-links   monitor.admin Responder incident.read
+POST  /api/v1/incident/{incidentId}/evidence-links   monitor.admin Responder incident.write
+DELETE /api/v1/incident/{incidentId}/evidence-links  monitor.admin Responder incident.write

GET    /api/v1/status-page                            monitor.admin Viewer    statuspage.read
GET    /api/v1/status-page/{id}                       monitor.admin Viewer    statuspage.read
POST   /api/v1/status-page                            monitor.admin Editor    statuspage.write
PUT    /api/v1/status-page/{id}                       monitor.admin Editor    statuspage.write
DELETE /api/v1/status-page/{id}                       monitor.admin Editor    statuspage.write
GET    /api/v1/status-page/{id}/incidents/{incidentPostId} monitor.admin Viewer statuspage.read
POST   /api/v1/status-page/{id}/incidents             monitor.admin Editor    statuspage.write
GET    /api/v1/public/status-page/{slug}              none          -
+GET   /api/v1/status-page-summaries                   monitor.admin Viewer    statuspage.read
+GET   /api/v1/workspaces/{workspaceId}/status-page/{id}/preview monitor.admin Viewer statuspage.read
+GET   /api/v1/status-page/{id}/incidents             monitor.admin Viewer    statuspage.read
+POST  /api/v1/status-page/post-preview               monitor.admin Viewer    statuspage.read
+PATCH /api/v1/status-page/{id}/incidents/{incidentPostId} monitor.admin Editor statuspage.write
+DELETE /api/v1/status-page/{id}/incidents/{incidentPostId} monitor.admin Editor statuspage.write
+POST  /api/v1/public/status-page/{slug}/subscribers  none          -
+GET   /api/v1/monitor/{id}/alert-preview             monitor.admin Viewer    alert.read
+GET   /api/v1/alert-preview                          monitor.admin Viewer    alert.read
+GET   /ack/{token}                                   none          -
+POST  /ack/{token}                                   none          -
+GET   /confirm-recipient/{token}                     none          -
+POST  /confirm-recipient/{token}                     none          -
+POST  /confirm-recipient/{token}/refuse              none          -
+GET   /incident/{token}                              none          -
+GET   /api/v1/public/status-page/{slug}/subscribers/confirm none   -
+POST  /api/v1/public/status-page/{slug}/subscribers/confirm none   -
+GET   /api/v1/public/status-page/{slug}/subscribers/unsubscribe none -
+POST  /api/v1/public/status-page/{slug}/subscribers/unsubscribe none -
+GET   /status/{slug}                                 none          -
+GET   /status/{slug}/posts/{postId}                  none          -
+GET   /status/{slug}/feed.atom                       none          -
+GET   /status/{slug}/maintenance.ics                 none          -
+GET   /status/{slug}/badge.svg                       none          -

GET    /api/v1/action-groups                          monitor.admin Viewer    alert.read
GET    /api/v1/action-groups/{id}                     monitor.admin Viewer    alert.read
DELETE /api/v1/action-groups/{id}                     monitor.admin Editor    alert.write
POST   /api/v1/action-groups/{id}/monitors/{monitorId} monitor.admin Editor   alert.write
DELETE /api/v1/action-groups/{id}/monitors/{monitorId} monitor.admin Editor   alert.write
POST   /api/v1/action-groups/email                    monitor.admin Editor    alert.write
GET    /api/v1/action-groups/email/{id}               monitor.admin Viewer    alert.read
PUT    /api/v1/action-groups/email/{id}               monitor.admin Editor    alert.write
GET    /api/v1/action-groups/sms/{id}                 monitor.admin Viewer    alert.read
PUT    /api/v1/action-groups/sms/{id}                 monitor.admin Editor    alert.write
POST   /api/v1/action-groups/webhook                  monitor.admin Editor    alert.write
GET    /api/v1/action-groups/webhook/{id}             monitor.admin Viewer    alert.read
PUT    /api/v1/action-groups/webhook/{id}             monitor.admin Editor    alert.write
+POST  /api/v1/action-groups/slack                    monitor.admin Editor    alert.write
+GET   /api/v1/action-groups/slack/{id}               monitor.admin Viewer    alert.read
+PUT   /api/v1/action-groups/slack/{id}               monitor.admin Editor    alert.write
+POST  /api/v1/action-groups/teams                    monitor.admin Editor    alert.write
+GET   /api/v1/action-groups/teams/{id}               monitor.admin Viewer    alert.read
+PUT   /api/v1/action-groups/teams/{id}               monitor.admin Editor    alert.write
+POST  /api/v1/action-groups/{id}/test                monitor.admin Editor    alert.write
+POST  /api/v1/action-groups/{id}/rotate-secret       monitor.admin Editor    alert.write
+POST  /api/v1/action-groups/webhook/{id}/rotate-secret monitor.admin Editor  alert.write
+POST  /api/v1/action-groups/email/{id}/resend-confirmation monitor.admin Editor alert.write
+POST  /api/v1/action-groups/sms/{id}/resend-confirmation monitor.admin Editor alert.write
+POST  /api/v1/action-groups/sms/{id}/confirm-recipient monitor.admin Editor alert.write
+GET   /api/v1/workspaces/{id}/members/me/phone-number account.read Viewer
+POST  /api/v1/workspaces/{id}/members/me/phone-number/send-code account.write Viewer
+POST  /api/v1/workspaces/{id}/members/me/phone-number/confirm account.write Viewer
+GET   /api/v1/action-groups/{id}/deliveries          monitor.admin Viewer    alert.read
+GET   /api/v1/deliveries                             monitor.admin Viewer    alert.read
+GET   /api/v1/deliveries/latest                      monitor.admin Viewer    alert.read
+GET   /api/v1/deliveries/{id}                        monitor.admin Viewer    alert.read
+GET   /api/v1/alert-coverage                         monitor.admin Viewer    alert.read
+GET   /api/v1/action-groups/{id}/monitors            monitor.admin Viewer    alert.read
+GET   /api/v1/action-groups/{id}/messages            monitor.admin Viewer    alert.read
+POST  /api/v1/action-groups/sms                      monitor.admin Editor    alert.write

GET    /api/v1/monitor/{monitorId}/action-groups      monitor.admin Viewer    alert.read
POST   /api/v1/monitor/{monitorId}/email-action-group monitor.admin Editor    alert.write
GET    /api/v1/monitor/{monitorId}/email-action-group monitor.admin Viewer    alert.read
GET    /api/v1/monitor/{monitorId}/email-action-group/{id} monitor.admin Viewer alert.read
PUT    /api/v1/monitor/{monitorId}/email-action-group monitor.admin Editor    alert.write
DELETE /api/v1/monitor/{monitorId}/email-action-group/{id} monitor.admin Editor alert.write
POST   /api/v1/monitor/{monitorId}/sms-action-group   monitor.admin Editor    alert.write
GET    /api/v1/monitor/{monitorId}/sms-action-group   monitor.admin Viewer    alert.read
DELETE /api/v1/monitor/{monitorId}/sms-action-group/{id} monitor.admin Editor alert.write
POST   /api/v1/monitor/{monitorId}/webhook-action-group monitor.admin Editor  alert.write
GET    /api/v1/monitor/{monitorId}/webhook-action-group monitor.admin Viewer  alert.read
PUT    /api/v1/monitor/{monitorId}/webhook-action-group monitor.admin Editor  alert.write
DELETE /api/v1/monitor/{monitorId}/webhook-action-group/{id} monitor.admin Editor alert.write

GET    /api/v1/user                                   user.read     -
GET    /api/v1/user/preferences                       user.read     -
POST   /api/v1/user                                   user.create   -         user.write
PUT    /api/v1/user/{id}                              monitor.admin -         user.write
PATCH  /api/v1/user/preferences                       edit:user     -         user.write
DELETE /api/v1/user/{id}                              monitor.admin -         user.write
+GET   /api/v1/user/sessions                        user.read     -
+DELETE /api/v1/user/sessions/{id}                   monitor.admin -         user.write
+DELETE /api/v1/user/sessions                        monitor.admin -         user.write
GET    /api/v1/user/{userId}/trial                    monitor.admin -         user.read
PUT    /api/v1/user/{userId}/trial                    monitor.admin -         user.write
+POST  /api/v1/config/plan                            monitor.admin Editor    monitor.write
+POST  /api/v1/config/apply                           monitor.admin Editor    monitor.write
+GET   /api/v1/config/export                          monitor.admin Editor    monitor.read
+POST  /api/v1/config/detach                          monitor.admin Editor    monitor.write
+GET   /api/v1/config/schema                          none          -
GET    /api/v1/product                                monitor.admin -         user.read account.read
`;

export const SPEC_ROWS: readonly SpecRow[] = TABLE.split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [method, path, auth, role, ...finer] = line.replace('+', '').split(/\s+/) as [string, string, string, string];
    return {
      method,
      path,
      scopes: auth === 'none' ? null : [auth, ...finer.filter((scope) => scope !== '')],
      role: role === '-' ? null : (role as Role),
      isInSpec: !line.startsWith('+'),
    };
  });

/** Replaces the names of parameters, which do not distinguish paths. */
export function rowKey({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`;
}
