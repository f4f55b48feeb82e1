/** Every scope of the product, and what it lets its holder do: for the OpenAPI description and the protected-resource document. */
export const SCOPES = {
  'monitor.admin': 'Everything about monitors and what belongs to them',
  'monitor.read': 'Read monitors, reports and service groups',
  'monitor.write': 'Change monitors and service groups',
  'incident.read': 'Read incidents and their notes',
  'incident.write': 'Acknowledge, resolve and note incidents',
  'statuspage.read': 'Read status pages',
  'statuspage.write': 'Change status pages and post to them',
  'alert.read': 'Read action groups',
  'alert.write': 'Change action groups',
  'account.read': 'Read workspaces, members, teams and schedules',
  'account.write': 'Change workspaces, members, teams and schedules',
  'user.read': 'Read the own profile and preferences',
  'user.write': 'Change the own profile',
  'user.create': 'Create the own account',
  'edit:user': 'Change the own preferences',
} as const;

export type Scope = keyof typeof SCOPES;

/**
 * Whether `held` satisfies a route that takes any of `accepted`: `monitor.admin` implies `monitor.write`
 * and `monitor.read`, and `.write` implies `.read` of its domain.
 */
export function scopesAllow(held: ReadonlySet<string>, accepted: readonly string[]): boolean {
  return accepted.some((scope) => held.has(scope) || impliedBy(scope).some((stronger) => held.has(stronger)));
}

function impliedBy(scope: string): string[] {
  const [domain, action] = scope.split('.', 2);
  if (action !== 'read' && action !== 'write') return [];
  return [...(action === 'read' ? [`${domain}.write`] : []), ...(domain === 'monitor' ? ['monitor.admin'] : [])];
}
