import type { ActionGroupView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { AlertPreview } from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import { useState } from 'preact/hooks';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog, show } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { GroupChoices, WhoHears } from './who-hears.js';

/** Who is notified of an incident that opens now, and which action groups it has. */
export function AlertsSection({ monitorId }: { monitorId: string }) {
  const preview = useResource<AlertPreview>(`/api/v1/monitor/${monitorId}/alert-preview`);
  const choose = (groups: readonly { id: string }[]) =>
    show(<GroupsDialog monitorId={monitorId} attached={groups.map(({ id }) => id)} />);
  return (
    <Section
      title="Who hears if it fails"
      aside={
        hasRole('Editor') &&
        preview.data !== undefined && (
          <Button text="Action groups" look="plain" icon="edit" onClick={() => choose(preview.data!.groups)} />
        )
      }
    >
      <div class="card card-body">
        <Loaded of={preview} rows={2}>
          {(data) => <WhoHears preview={data} />}
        </Loaded>
      </div>
    </Section>
  );
}

function GroupsDialog({ monitorId, attached }: { monitorId: string; attached: readonly string[] }) {
  const groups = useResource<ActionGroupView[]>('/api/v1/action-groups', { pageSize: 100 });
  const [wanted, setWanted] = useState<readonly string[]>(attached);
  return (
    <ConfirmDialog
      title="Action groups of this monitor"
      action="Save"
      isDanger={false}
      onConfirm={() => attachGroups(monitorId, wanted, attached)}
    >
      <Loaded of={groups}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">
              The workspace has none yet. <a href={pathTo('/alerts')}>Set up alerts</a>
            </p>
          ) : (
            <GroupChoices groups={all} values={wanted} onChange={setWanted} />
          )
        }
      </Loaded>
    </ConfirmDialog>
  );
}

/** Attaches what is wanted and not attached, and detaches what is attached and not wanted. */
export async function attachGroups(
  monitorId: string,
  wanted: readonly string[],
  attached: readonly string[],
): Promise<void> {
  const at = (id: string) => `/api/v1/action-groups/${id}/monitors/${monitorId}`;
  for (const id of wanted) if (!attached.includes(id)) await change('POST', at(id));
  for (const id of attached) if (!wanted.includes(id)) await change('DELETE', at(id));
}
