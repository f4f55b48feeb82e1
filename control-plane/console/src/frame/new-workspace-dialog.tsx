import type { Workspace } from '@watchpost/control-plane/capabilities/workspaces/workspace-schemas';
import { useLocation } from 'preact-iso';
import { change } from '../data/resources.js';
import { workspaces } from '../data/session.js';
import { FormDialog } from '../parts/edit-form.js';
import { Field, OWN_ZONE } from '../parts/form.js';
import { toast } from './toasts.js';

/** Asks for the name of a new workspace, and leads to it. Its time zone is that of the browser. */
export function NewWorkspaceDialog() {
  const { route } = useLocation();
  return (
    <FormDialog
      title="New workspace"
      action="Create the workspace"
      initial={{ name: '' }}
      onSubmit={async ({ name }) => {
        const { body } = await change<Workspace>('POST', '/api/v1/workspaces', {
          body: { name, settings: { timezone: OWN_ZONE } },
        });
        workspaces.value = [{ id: body.id, name: body.name, role: body.role, plan: body.plan }, ...workspaces.peek()];
        toast(`Created: ${body.name}. You are its Owner.`);
        route(`/console/w/${body.id}`);
      }}
    >
      {() => (
        <Field
          name="name"
          label="Name"
          placeholder="Acme"
          hint="It has its own monitors, members and settings. Your plan and its limits hold in all of your workspaces together."
        />
      )}
    </FormDialog>
  );
}
