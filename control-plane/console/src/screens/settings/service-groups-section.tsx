import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { pageOf, paramsOf } from '../../data/address.js';
import { change } from '../../data/change.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { countText } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import { Loaded } from '../../parts/loaded.js';
import { Menu, type MenuItem } from '../../parts/menu.js';
import { Pager } from '../../parts/pager.js';
import { type Column, Table } from '../../parts/table.js';
import { Tabs } from '../../parts/tabs.js';
import { Time } from '../../parts/time.js';
import { Section } from './section.js';
import { CreateDialog, EditDialog, MoveDialog, SERVICE_GROUPS_PATH } from './service-group-dialogs.js';
import type { ServiceGroupView } from './views.js';

const PAGE_SIZE = 50;

interface Asked {
  what: 'create' | 'edit' | 'move' | 'delete';
  group?: ServiceGroupView;
}

/** Monitors of one service: listed, named, moved, deleted and restored together. */
export function ServiceGroupsSection() {
  const { url } = useLocation();
  const query = paramsOf(url);
  const isDeleted = query.get('show') === 'deleted';
  const page = pageOf(query);
  const read = useResource<ServiceGroupView[]>(SERVICE_GROUPS_PATH, { isDeleted, page, pageSize: PAGE_SIZE });
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const create = hasRole('Editor') && (
    <Button look="primary" icon="plus" onClick={() => setAsked({ what: 'create' })}>
      New group
    </Button>
  );
  return (
    <Section
      title="Service groups"
      lead="The monitors of one service. Teams are paged for a group, and status pages show its state as one."
      actions={create}
    >
      <Tabs
        label="Which groups"
        tabs={[
          { href: pathTo('/settings/service-groups'), label: 'Current', isCurrent: !isDeleted },
          { href: pathTo('/settings/service-groups', { show: 'deleted' }), label: 'Deleted', isCurrent: isDeleted },
        ]}
      />
      <Loaded of={read}>
        {(groups) =>
          groups.length > 0 ? (
            <>
              <Table
                label="Service groups"
                rows={groups}
                rowKey={({ id }) => id}
                columns={isDeleted ? DELETED : columns(setAsked)}
                isStale={read.isPrevious}
              />
              <Pager page={page} pageSize={PAGE_SIZE} total={read.total ?? groups.length} />
            </>
          ) : isDeleted ? (
            <EmptyState icon="trash" title="Nothing to restore">
              A deleted group can be restored with its monitors for 90 days.
            </EmptyState>
          ) : (
            <EmptyState icon="monitors" title="There is no service group yet" action={create}>
              Make one for each service that people know by name.
            </EmptyState>
          )
        }
      </Loaded>
      {asked?.what === 'create' && <CreateDialog onClose={close} />}
      {asked?.what === 'edit' && <EditDialog id={asked.group!.id} onClose={close} />}
      {asked?.what === 'move' && <MoveDialog group={asked.group!} onClose={close} />}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${asked.group!.name}?`}
          action="Delete"
          typedName={asked.group!.name}
          consequences={[
            `${countText(asked.group!.monitors.length, 'monitor')} in it: deleted too, and no longer checked.`,
            'Open incidents of these monitors close.',
            'A monitor that a status page shows on its own goes on, without a group.',
            'All of it can be restored for 90 days.',
          ]}
          onConfirm={() => change('DELETE', `${SERVICE_GROUPS_PATH}/${asked.group!.id}`)}
          onClose={close}
        />
      )}
    </Section>
  );
}

const NAME: Column<ServiceGroupView> = {
  key: 'name',
  label: 'Name',
  cell: ({ name, hostname }) => (
    <span class="settings-name">
      <strong>{name}</strong>
      <span class="soft small">{hostname ?? 'Several hosts'}</span>
    </span>
  ),
};
const MONITORS: Column<ServiceGroupView> = {
  key: 'monitors',
  label: 'Monitors',
  width: 'wide',
  cell: ({ monitors }) =>
    monitors.length === 0 ? (
      <span class="soft">None</span>
    ) : (
      <span class="settings-links">
        {monitors.map(({ id: own, name }, index) => (
          <span key={own}>
            {index > 0 && ', '}
            <a href={pathTo(`/monitors/${own}`)}>{name}</a>
          </span>
        ))}
      </span>
    ),
};

const DELETED: readonly Column<ServiceGroupView>[] = [
  NAME,
  { key: 'count', label: 'Monitors', width: 'narrow', isNumber: true, cell: ({ monitors }) => monitors.length },
  {
    key: 'purge',
    label: 'Restorable',
    width: 'narrow',
    isNumber: true,
    cell: ({ purgeAt }) =>
      purgeAt && (
        <>
          until <Time at={purgeAt} as="moment" />
        </>
      ),
  },
  {
    key: 'actions',
    label: 'Actions',
    width: 'narrow',
    isNumber: true,
    isPlain: true,
    cell: ({ id, name }) =>
      hasRole('Editor') && (
        <span class="settings-tail">
          <Button
            icon="refresh"
            onClick={() =>
              void change('POST', `${SERVICE_GROUPS_PATH}/${id}/restore`).then(
                () => toast(`Restored: ${name}. Its monitors are checked at once.`),
                toastFault,
              )
            }
          >
            Restore
          </Button>
        </span>
      ),
  },
];

function columns(ask: (asked: Asked) => void): readonly Column<ServiceGroupView>[] {
  const teams: Column<ServiceGroupView> = {
    key: 'teams',
    label: 'Teams',
    width: 'narrow',
    isNumber: true,
    cell: ({ routedTeamIds }) => routedTeamIds.length,
  };
  if (!hasRole('Editor')) return [NAME, MONITORS, teams];
  const itemsOf = (group: ServiceGroupView): MenuItem[] => [
    { label: 'Rename', icon: 'edit', onSelect: () => ask({ what: 'edit', group }) },
    ...(group.monitors.length === 0
      ? []
      : [{ label: 'Move monitors', icon: 'right' as const, onSelect: () => ask({ what: 'move', group }) }]),
    {
      label: 'Delete',
      icon: 'trash',
      isDanger: true,
      startsGroup: true,
      onSelect: () => ask({ what: 'delete', group }),
    },
  ];
  return [
    NAME,
    MONITORS,
    teams,
    {
      key: 'actions',
      label: 'Actions',
      width: 'narrow',
      isNumber: true,
      isPlain: true,
      cell: (group) => (
        <span class="settings-tail">
          <Menu label={`Change ${group.name}`} className="btn btn-plain btn-icon" items={itemsOf(group)}>
            <Icon name="more" />
          </Menu>
        </span>
      ),
    },
  ];
}
