import type { Role } from '../../data/first.js';

/** What each role may do beyond the one before it. */
const ROLES: readonly (readonly [role: Exclude<Role, 'Owner'>, may: string])[] = [
  ['Viewer', 'Sees everything in the workspace: monitors, incidents, evidence, schedules.'],
  ['Responder', 'Acknowledges, notes and closes incidents, and is paged.'],
  ['Editor', 'Changes monitors, alerts, status pages and service groups.'],
  ['Admin', 'Manages members, teams, schedules and settings, and reads the audit log.'],
];

/** The roles, explained. */
export function RolesTable() {
  return (
    <dl class="settings-facts card card-body">
      {[...ROLES, ['Owner', 'Also transfers and deletes the workspace. The plan is the Owner’s.'] as const].map(
        ([role, may]) => (
          <div key={role}>
            <dt>
              <strong>{role}</strong>
            </dt>
            <dd>{may}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** One role of those that can be given. */
export function RoleChoice({ value, onChange }: { value: string; onChange: (role: string) => void }) {
  return (
    <fieldset class="settings-roles">
      <legend class="field-label">Role</legend>
      {ROLES.map(([role, may]) => (
        <label key={role} class="choice">
          <input type="radio" name="role" value={role} checked={value === role} onChange={() => onChange(role)} />
          <span>
            {role}
            <span class="field-hint">{may}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
