import { show, ask } from '../../parts/dialog.js';
import { change } from '../../data/resources.js';
import { first, hasRole, workspace, workspaceId } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { EditDialog } from '../../parts/edit-form.js';
import { List, usePage, actions, type Columns } from '../../parts/table.js';
import { MoreMenu, type MenuItem } from '../../parts/menu.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/marks.js';
import { InvitationsSection, InviteButton, useInvitations } from './invitations-section.js';
import { RoleChoice, RolesTable } from './settings-parts.js';
import { sendOrAsk } from '../../parts/unreachable.js';
import type { MemberView } from './views.js';

const COLUMNS: Columns<MemberView> = {
  Name: (member) => (
    <span class="lines">
      <strong>
        {nameOf(member)}
        {isMe(member) && <span class="soft"> (you)</span>}
      </strong>
      {member.name !== null && <span class="soft small">{member.email}</span>}
    </span>
  ),
  Role: { width: 'narrow', cell: ({ role, roleSource }) => (roleSource === 'claim' ? `${role} (by claim)` : role) },
  Status: {
    width: 'narrow',
    cell: ({ status }) =>
      status === 'active' ? <span class="soft">Active</span> : <span class="state-partial">Suspended</span>,
  },
  Joined: { isNumber: true, cell: ({ joined }) => <Time at={joined} as="moment" /> },
};

/** Who belongs to the workspace, who is invited, and what the roles are. */
export function MembersSection() {
  const path = `/api/v1/workspaces/${workspaceId.value}/members`;
  const members = usePage<MemberView>(path);
  const invitations = useInvitations();

  const suspend = (member: MemberView) =>
    ask({
      title: `Suspend ${nameOf(member)}?`,
      action: 'Suspend',
      consequences: [
        'Requests, API keys included, are refused at once.',
        'Role and place in schedules are kept until you reactivate the member.',
      ],
      onConfirm: () =>
        sendOrAsk('Suspend anyway', (query) =>
          change('PATCH', `${path}/${member.id}`, { body: { status: 'suspended' }, query }),
        ),
    });
  const reactivate = (member: MemberView) =>
    void change('PATCH', `${path}/${member.id}`, { body: { status: 'active' } }).then(
      () => toast(`${nameOf(member)} is active again.`),
      toastFault,
    );
  const remove = (member: MemberView) =>
    ask({
      title: `Remove ${nameOf(member)}?`,
      action: 'Remove',
      consequences: [
        'Access ends with the next request; the API keys of this member are revoked.',
        'The member leaves teams and schedules. What else the member made stays.',
      ],
      onConfirm: () => sendOrAsk('Remove anyway', (query) => change('DELETE', `${path}/${member.id}`, { query })),
    });
  const itemsOf = (member: MemberView): MenuItem[] => [
    { label: 'Change the role', icon: 'edit', onSelect: () => show(<RoleDialog member={member} path={path} />) },
    !isMe(member) &&
      (member.status === 'active'
        ? { label: 'Suspend', icon: 'pause', onSelect: () => suspend(member) }
        : { label: 'Reactivate', icon: 'play', onSelect: () => reactivate(member) }),
    !isMe(member) && {
      label: 'Remove',
      icon: 'trash',
      isDanger: true,
      startsGroup: true,
      onSelect: () => remove(member),
    },
  ];
  // There is one Owner, who changes by a transfer only.
  const menu = actions<MemberView>(
    (member) => member.role !== 'Owner' && <MoreMenu label={`Change ${nameOf(member)}`} items={itemsOf(member)} />,
  );
  // What is below a list waits until its length is known.
  const isRead = [members, ...(hasRole('Admin') ? [invitations] : [])].every(({ data, fault }) => data ?? fault);
  return (
    <>
      <Section look="stack" title="Members" aside={hasRole('Admin') && <InviteButton />}>
        <List of={members} none={null} label="Members" columns={{ ...COLUMNS, ...(hasRole('Admin') && menu) }} />
      </Section>
      {isRead && (
        <>
          <InvitationsSection invitations={invitations.data ?? []} />
          <Section look="stack" title="Roles" lead="Each role may do what the ones above it may.">
            <RolesTable />
          </Section>
        </>
      )}
    </>
  );
}

function RoleDialog({ member, path }: { member: MemberView; path: string }) {
  return (
    <EditDialog
      title={`Role of ${nameOf(member)}`}
      action="Change the role"
      method="PATCH"
      path={`${path}/${member.id}`}
      pick={({ role }: MemberView) => ({ role })}
      saved={(saved) => `${nameOf(saved)} is ${saved.role} of ${workspace.value?.name ?? 'the workspace'}.`}
    >
      {(form) => (
        <>
          <RoleChoice value={form.values.value.role} onChange={(role) => form.set('role', role)} />
          {isMe(member) && (
            <p class="note note-partial">This is your own role: below Admin you cannot raise it again yourself.</p>
          )}
        </>
      )}
    </EditDialog>
  );
}

function isMe({ userId }: MemberView): boolean {
  return userId === first?.user.id;
}

function nameOf({ name, email }: MemberView): string {
  return name ?? email ?? 'A member without a name';
}
