import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { first, workspace, workspaceId, workspaces } from '../data/session.js';
import { Icon } from '../parts/icon.js';
import { Menu } from '../parts/menu.js';
import type { NewWorkspaceDialog } from './new-workspace-dialog.js';
import { toastFault } from './toasts.js';

/** The workspace of the address, and the way to the others. */
export function WorkspaceMenu() {
  const { route } = useLocation();
  const own = workspace.value;
  const [Creating, setCreating] = useState<typeof NewWorkspaceDialog>();
  // The first screen does without forms.
  const create = () =>
    void import('../screens/arranging.js').then((file) => setCreating(() => file.NewWorkspaceDialog), toastFault);
  return (
    <>
      <Menu
        label={`Workspace ${own?.name ?? ''}`}
        className="workspace-button"
        hasWords
        items={[
          ...workspaces.value.map(({ id, name, role }) => ({
            label: (
              <>
                {name} <span class="soft">{role}</span>
              </>
            ),
            isCurrent: id === workspaceId.value,
            onSelect: () => route(`/console/w/${id}`),
          })),
          first?.mayCreateWorkspaces === true && {
            label: 'New workspace',
            icon: 'plus' as const,
            startsGroup: true,
            onSelect: create,
          },
        ]}
      >
        <span class="workspace-mark" aria-hidden="true">
          {(own?.name ?? '?').slice(0, 1).toUpperCase()}
        </span>
        <span class="unseen">Workspace</span>
        <span class="workspace-name">{own?.name ?? 'No workspace'}</span>
        <Icon name="down" />
      </Menu>
      {Creating && <Creating onClose={() => setCreating(undefined)} />}
    </>
  );
}
