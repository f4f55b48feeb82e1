import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hasRole, pathTo, workspace, workspaceId, type Role } from '../../data/session.js';
import { Screen } from '../../frame/screen.js';
import { EmptyState } from '../../parts/loaded.js';
import { ApiKeysSection } from './api-keys-section.js';
import { AuditSection } from './audit-section.js';
import { LocationsSection } from './locations-section.js';
import { MembersSection } from './members-section.js';
import { NotificationsSection } from './notifications-section.js';
import { PlanSection } from './plan-section.js';
import { ProfileSection } from './profile-section.js';
import { ServiceGroupsSection } from './service-groups-section.js';
import { SessionsSection } from './sessions-section.js';
import { WorkspaceSection } from './workspace-section.js';

interface Section {
  /** The end of its address; '' is the first. */
  name: string;
  label: string;
  content: ComponentType;
  /** Who may see it; everybody, if it is left out. */
  least?: Role;
}

const OF_WORKSPACE: readonly Section[] = [
  { name: '', label: 'General', content: WorkspaceSection },
  { name: 'members', label: 'Members', content: MembersSection },
  { name: 'service-groups', label: 'Service groups', content: ServiceGroupsSection },
  { name: 'locations', label: 'Private locations', content: LocationsSection },
  { name: 'api-keys', label: 'API keys', content: ApiKeysSection },
  { name: 'plan', label: 'Plan and usage', content: PlanSection },
  { name: 'audit', label: 'Audit log', content: AuditSection, least: 'Admin' },
];
const OF_USER: readonly Section[] = [
  { name: 'profile', label: 'Profile', content: ProfileSection },
  { name: 'notifications', label: 'Notifications', content: NotificationsSection },
  { name: 'sessions', label: 'Sessions', content: SessionsSection },
];

/** Settings of the workspace and of the user, a section an address. */
export function SettingsScreen({ params }: { params: Record<string, string> }) {
  const name = params['section'] ?? '';
  const section = [...OF_WORKSPACE, ...OF_USER].find((each) => each.name === name);
  const Content = section?.content;
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // On phones the sections scroll sideways.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [section]);
  return (
    <Screen title="Settings" documentTitle={`${section?.label ?? 'Unknown'} · Settings`}>
      <div class="settings">
        <nav ref={nav} class="settings-nav" aria-label="Settings">
          <NavGroup label={workspace.value?.name ?? 'Workspace'} sections={OF_WORKSPACE} current={section} />
          <NavGroup label="You" sections={OF_USER} current={section} />
        </nav>
        {/* Another workspace has other forms. */}
        <div class="gap-7 lines one-column packed" key={workspaceId.value}>
          {Content === undefined ? (
            <EmptyState icon="settings" title="There is no such section of the settings" />
          ) : section?.least && !hasRole(section.least) ? (
            <EmptyState icon="settings" title={`${section.label}: for Admins`}>
              You are {workspace.value?.role} of this workspace. An Admin can show it to you, or change your role.
            </EmptyState>
          ) : (
            <Content />
          )}
        </div>
      </div>
    </Screen>
  );
}

function NavGroup(props: { label: string; sections: readonly Section[]; current: Section | undefined }) {
  const { label, sections, current } = props;
  return (
    <>
      <span class="settings-nav-head">{label}</span>
      {sections.map((section) =>
        section.least && !hasRole(section.least) ? null : (
          <a
            key={section.name}
            href={pathTo(section.name === '' ? '/settings' : `/settings/${section.name}`)}
            aria-current={section === current ? 'page' : undefined}
          >
            {section.label}
          </a>
        ),
      )}
    </>
  );
}
