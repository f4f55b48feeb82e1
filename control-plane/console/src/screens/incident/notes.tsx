import type { Incident, IncidentNote } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import { useState } from 'preact/hooks';
import { change, useResource } from '../../data/resources.js';
import { hasRole } from '../../data/session.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog, show } from '../../parts/dialog.js';
import { EditForm } from '../../parts/edit-form.js';
import { Field, Form } from '../../parts/form.js';
import { Markdown } from '../../parts/markdown.js';
import { Time } from '../../parts/marks.js';
import { useForm } from '../../parts/use-form.js';

interface NotesProps {
  incident: Incident;
  nameOf: (userId: string | null) => string;
}

const HINT = 'Markdown: **bold**, `code`, lists, links';

/** What people wrote about an incident, newest first. */
export function Notes({ incident, nameOf }: NotesProps) {
  const { id, notes, isClosed } = incident;
  const canWrite = !isClosed && hasRole('Responder');
  return (
    <section aria-labelledby="notes">
      <h2 id="notes" class="below-3">
        Notes
      </h2>
      <div class="stack">
        {canWrite && <NewNote incidentId={id} />}
        {isClosed && <p class="soft small">The incident is closed and takes no more notes.</p>}
        {notes.length === 0 && !canWrite && <p class="soft">Nobody wrote a note.</p>}
        {notes.map((note) => (
          <Note key={note.id} incidentId={id} note={note} nameOf={nameOf} canWrite={canWrite} />
        ))}
      </div>
    </section>
  );
}

function NewNote({ incidentId }: { incidentId: string }) {
  const form = useForm({
    initial: { note: '' },
    draft: `note:${incidentId}`,
    onSubmit: async (sent) => {
      await change('POST', `/api/v1/incident/${incidentId}/notes`, { body: sent });
      form.reset({ note: '' }, sent);
    },
  });
  return (
    <Form form={form} action="Add note">
      <Field name="note" label="New note" hint={HINT} isLong placeholder="What you found, and what you do about it" />
    </Form>
  );
}

function Note(props: { incidentId: string; note: IncidentNote; nameOf: NotesProps['nameOf']; canWrite: boolean }) {
  const { incidentId, note, nameOf, canWrite } = props;
  const [isEditing, setEditing] = useState(false);
  const path = `/api/v1/incident/${incidentId}/notes/${note.id}`;
  return (
    <article class="card card-body incident-note lines one-column gap-2">
      <header class="row between">
        <span>
          <strong>{nameOf(note.createdBy)}</strong>{' '}
          <span class="soft">
            <Time at={note.createdAt} />
            {note.lastModified !== note.createdAt && (
              <>
                , edited {note.modifiedBy !== note.createdBy && `by ${nameOf(note.modifiedBy)} `}
                <Time at={note.lastModified} />
              </>
            )}
          </span>
        </span>
        {canWrite && !isEditing && (
          <span class="row">
            <Button look="plain" icon="edit" label="Edit the note" onClick={() => setEditing(true)} />
            <Button
              look="plain"
              icon="trash"
              label="Delete the note"
              onClick={() => show(<DeleteNote path={path} />)}
            />
          </span>
        )}
      </header>
      {isEditing ? (
        <EditForm
          method="PATCH"
          path={path}
          rows={2}
          pick={(read: IncidentNote) => ({ note: read.note })}
          draft={`edit:${path}`}
          saved={() => undefined}
          onClose={() => setEditing(false)}
        >
          {() => <Field name="note" label="Note" hint={HINT} isLong />}
        </EditForm>
      ) : (
        <Markdown text={note.note} />
      )}
    </article>
  );
}

function DeleteNote({ path }: { path: string }) {
  const note = useResource<IncidentNote>(path);
  return (
    <ConfirmDialog
      title="Delete the note?"
      action="Delete"
      consequences={['Its text stays in the audit log. Messages that were sent with it stay as they are.']}
      needs={[note]}
      onConfirm={() => change('DELETE', path, { ifMatch: note.etag })}
    />
  );
}
