import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { pageOf, paramsOf } from '../../data/address.js';
import { change } from '../../data/change.js';
import { first, hasRole, workspace, workspaceId } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { toast } from '../../frame/toasts.js';
import { ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { Form } from '../../parts/form.js';
import { Icon } from '../../parts/icon.js';
import { Loaded } from '../../parts/loaded.js';
import { Menu, type MenuItem } from '../../parts/menu.js';
import { Pager } from '../../parts/pager.js';
import { type Column, Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { useEdit } from '../../parts/use-edit.js';
import { InvitationsSection, InviteButton } from './invitations-section.js';
import { RoleChoice, RolesTable } from './roles.js';
import { Section } from './section.js';
import type { MemberView } from './views.js';

const PAGE_SIZE = 50;

interface Asked {
  what: 'role' | 'suspend' | 'remove';
  member: MemberView;
}

/** Who belongs to the workspace, who is invited, and what the roles are. */
export function MembersSection() {
  const { url } = useLocation();
  const page = pageOf(paramsOf(url));
  const path = `/api/v1/workspaces/${workspaceId.value}/members`;
  const read = useResource<MemberView[]>(path, { page, pageSize: PAGE_SIZE });
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);

  const reactivate = (member: MemberView) =>
    change('PATCH', `${path}/${member.id}`, { body: { status: 'active' } }).then(() =>
      toast(`${nameOf(member)} is active again.`),
    );
  return (
    <>
      <Section title="Members" actions={hasRole('Admin') && <InviteButton />}>
        <Loaded of={read} rows={4}>
          {(members) => (
            <>
              <Table
                label="Members"
                rows={members}
                rowKey={({ id }) => id}
                columns={columns(setAsked, reactivate)}
                isStale={read.isPrevious}
              />
              <Pager page={page} pageSize={PAGE_SIZE} total={read.total ?? members.length} />
            </>
          )}
        </Loaded>
      </Section>
      {hasRole('Admin') && <InvitationsSection />}
      <Section title="Roles" lead="Each role may do what the ones above it may.">
        <RolesTable />
      </Section>
      {asked?.what === 'role' && <RoleDialog path={`${path}/${asked.member.id}`} onClose={close} />}
      {asked?.what === 'suspend' && (
        <ConfirmDialog
          title={`Suspend ${nameOf(asked.member)}?`}
          action="Suspend"
          consequences={[
            'Requests, API keys included, are refused at once.',
            'Role and place in schedules are kept until you reactivate the member.',
          ]}
          onConfirm={() => change('PATCH', `${path}/${asked.member.id}`, { body: { status: 'suspended' } })}
          onClose={close}
        />
      )}
      {asked?.what === 'remove' && (
        <ConfirmDialog
          title={`Remove ${nameOf(asked.member)}?`}
          action="Remove"
          consequences={[
            'Access ends with the next request; the API keys of this member are revoked.',
            'The member leaves teams and schedules. What else the member made stays.',
          ]}
          onConfirm={() => change('DELETE', `${path}/${asked.member.id}`)}
          onClose={close}
        />
      )}
    </>
  );
}

function columns(ask: (asked: Asked) => void, reactivate: (member: MemberView) => Promise<unknown>) {
  const all: Column<MemberView>[] = [
    {
      key: 'name',
      label: 'Name',
      cell: (member) => (
        <span class="settings-person">
          <strong>
            {nameOf(member)}
            {member.userId === first?.user.id && <span class="soft"> (you)</span>}
          </strong>
          {member.name !== null && <span class="soft small">{member.email}</span>}
        </span>
      ),
    },
    { key: 'role', label: 'Role', width: 'narrow', cell: ({ role }) => role },
    {
      key: 'status',
      label: 'Status',
      width: 'narrow',
      cell: ({ status }) =>
        status === 'active' ? <span class="soft">Active</span> : <span class="state-partial">Suspended</span>,
    },
    {
      key: 'joined',
      label: 'Joined',
      width: 'narrow',
      isNumber: true,
      cell: ({ joined }) => <Time at={joined} as="moment" />,
    },
  ];
  if (!hasRole('Admin')) return all;
  const itemsOf = (member: MemberView): MenuItem[] => [
    { label: 'Change the role', icon: 'edit', onSelect: () => ask({ what: 'role', member }) },
    ...(member.userId === first?.user.id
      ? []
      : [
          member.status === 'active'
            ? { label: 'Suspend', icon: 'pause' as const, onSelect: () => ask({ what: 'suspend', member }) }
            : { label: 'Reactivate', icon: 'play' as const, onSelect: () => void reactivate(member) },
          {
            label: 'Remove',
            icon: 'trash' as const,
            isDanger: true,
            startsGroup: true,
            onSelect: () => ask({ what: 'remove', member }),
          },
        ]),
  ];
  all.push({
    key: 'actions',
    label: 'Actions',
    width: 'narrow',
    isNumber: true,
    isPlain: true,
    cell: (member) =>
      // There is one Owner, who changes by a transfer only.
      member.role === 'Owner' ? null : (
        <span class="settings-tail">
          <Menu label={`Change ${nameOf(member)}`} className="btn btn-plain btn-icon" items={itemsOf(member)}>
            <Icon name="more" />
          </Menu>
        </span>
      ),
  });
  return all;
}

function RoleDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const read = useResource<MemberView>(path);
  return (
    <Dialog title={read.data ? `Role of ${nameOf(read.data)}` : 'Role'} onClose={onClose}>
      <Loaded of={read} rows={4}>
        {(data) => <RoleForm path={path} data={data} etag={read.etag} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function RoleForm(props: { path: string; data: MemberView; etag: string | null; onClose: () => void }) {
  const { path, data, etag, onClose } = props;
  const { form, conflict } = useEdit({
    method: 'PATCH',
    path,
    read: { data, etag },
    pick: ({ role }: MemberView) => ({ role }),
    names: { role: 'Role' },
    onSaved: (member) => {
      toast(`${nameOf(member)} is ${member.role} of ${workspace.value?.name ?? 'the workspace'}.`);
      onClose();
    },
  });
  return (
    <Form form={form} action="Change the role" conflict={conflict} onCancel={onClose}>
      <RoleChoice value={form.values.value.role} onChange={(role) => form.set('role', role)} />
      {data.userId === first?.user.id && (
        <p class="note note-partial">This is your own role: below Admin you cannot raise it again yourself.</p>
      )}
    </Form>
  );
}

function nameOf({ name, email }: MemberView): string {
  return name ?? email ?? 'A member without a name';
}
