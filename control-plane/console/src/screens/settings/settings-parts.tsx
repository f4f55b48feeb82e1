import { CopyButton } from '../../parts/button.js';
import type { ComponentChildren } from 'preact';
import type { Role } from '../../data/session.js';
import { Facts } from '../../parts/section.js';
import { FieldGroup } from '../../parts/form.js';

/** A text that is shown once, to be copied. */
export function Secret({ text, label }: { text: string; label: string }) {
  return (
    <div class="with-end lines center gap-2">
      <code class="settings-secret sunken pad-2-3">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}

interface ActionProps {
  title: string;
  children: ComponentChildren;
  action: ComponentChildren;
}

/** Something that others notice, with its button. */
export function Action({ title, children, action }: ActionProps) {
  return (
    <div class="wrap center between gap-2-5 pad-4">
      <div class="fill-18">
        <h3>{title}</h3>
        <p class="soft">{children}</p>
      </div>
      {action}
    </div>
  );
}

/** What each role may do beyond the one before it. */
const ROLES: readonly (readonly [role: Exclude<Role, 'Owner'>, may: string])[] = [
  ['Viewer', 'Sees everything in the workspace: monitors, incidents, evidence, schedules.'],
  ['Responder', 'Acknowledges, notes and closes incidents, and is paged.'],
  ['Editor', 'Changes monitors, alerts, status pages and service groups.'],
  ['Admin', 'Manages members, teams, schedules and settings, and reads the audit log.'],
];

export const GIVEN_ROLES = ROLES.map(([role]) => ({ value: role, label: role }));

const OWNER = ['Owner', 'Also transfers and deletes the workspace. The plan is the Owner’s.'] as const;

export function RolesTable() {
  const facts = [...ROLES, OWNER].map(([role, may]) => [<strong key={role}>{role}</strong>, may] as const);
  return <Facts look="lines card card-body" facts={facts} />;
}

/** One role of those that can be given. */
export function RoleChoice({ value, onChange }: { value: string; onChange: (role: string) => void }) {
  return (
    <FieldGroup name="role" label="Role">
      {ROLES.map(([role, may]) => (
        <label key={role} class="choice">
          <input type="radio" name="role" value={role} checked={value === role} onChange={() => onChange(role)} />
          <span>
            {role}
            <span class="field-hint">{may}</span>
          </span>
        </label>
      ))}
    </FieldGroup>
  );
}
