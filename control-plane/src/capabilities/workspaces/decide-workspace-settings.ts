import type { WorkspacePatch, WorkspaceSettings } from './workspace-schemas.js';

const DEFAULT_SETTINGS: WorkspaceSettings = {
  timezone: 'UTC',
  autoCloseIncidents: true,
  incidentQuorum: 'majority',
  defaultActionGroupIds: [],
};

/** The settings after a merge patch (RFC 7396); null resets one of them, or all. */
export function decideWorkspaceSettings(
  current: WorkspaceSettings | null,
  patch: WorkspacePatch['settings'],
): WorkspaceSettings {
  const before = current ?? DEFAULT_SETTINGS;
  if (patch === undefined) return before;
  if (patch === null) return DEFAULT_SETTINGS;
  const pick = <Key extends keyof WorkspaceSettings>(key: Key): WorkspaceSettings[Key] => {
    const wanted = patch[key] as WorkspaceSettings[Key] | null | undefined;
    if (wanted === undefined) return before[key];
    return wanted ?? DEFAULT_SETTINGS[key];
  };
  return {
    timezone: pick('timezone'),
    autoCloseIncidents: pick('autoCloseIncidents'),
    incidentQuorum: pick('incidentQuorum'),
    defaultActionGroupIds: [...new Set(pick('defaultActionGroupIds'))],
  };
}

/** Whether the change affects how incidents are decided. */
export function movesVerdicts(before: WorkspaceSettings, after: WorkspaceSettings): boolean {
  return before.incidentQuorum !== after.incidentQuorum || before.autoCloseIncidents !== after.autoCloseIncidents;
}
