import type { RoleMapping } from './decide-mapped-role.js';
import type { GivenRole } from './member-schemas.js';
import type { WorkspacePatch, WorkspaceSettings } from './workspace-schemas.js';

const DEFAULT_SETTINGS: WorkspaceSettings = {
  timezone: 'UTC',
  autoCloseIncidents: true,
  incidentQuorum: 'majority',
  defaultActionGroupIds: [],
  roleMapping: {},
};

/** The settings after a merge patch (RFC 7396); null resets one of them, or all. */
export function decideWorkspaceSettings(
  current: WorkspaceSettings | null,
  patch: WorkspacePatch['settings'],
): WorkspaceSettings {
  const before = current ?? DEFAULT_SETTINGS;
  if (patch === undefined) return before;
  if (patch === null) return DEFAULT_SETTINGS;
  const pick = <Key extends Exclude<keyof WorkspaceSettings, 'roleMapping'>>(key: Key): WorkspaceSettings[Key] => {
    const wanted = patch[key] as WorkspaceSettings[Key] | null | undefined;
    if (wanted === undefined) return before[key];
    return wanted ?? DEFAULT_SETTINGS[key];
  };
  return {
    timezone: pick('timezone'),
    autoCloseIncidents: pick('autoCloseIncidents'),
    incidentQuorum: pick('incidentQuorum'),
    defaultActionGroupIds: [...new Set(pick('defaultActionGroupIds'))],
    roleMapping: mergeRoles(before.roleMapping, patch.roleMapping),
  };
}

function mergeRoles(
  before: RoleMapping,
  patch: Readonly<Record<string, GivenRole | null>> | null | undefined,
): RoleMapping {
  const merged = Object.entries({ ...(patch === null ? {} : before), ...patch });
  return Object.fromEntries(merged.filter((entry): entry is [string, GivenRole] => entry[1] !== null));
}

/** Whether the change affects how incidents are decided. */
export function movesVerdicts(before: WorkspaceSettings, after: WorkspaceSettings): boolean {
  return before.incidentQuorum !== after.incidentQuorum || before.autoCloseIncidents !== after.autoCloseIncidents;
}
