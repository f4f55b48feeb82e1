import { useState } from 'preact/hooks';
import type {
  CalendarLink,
  NewCalendarLink,
} from '@watchpost/control-plane/capabilities/on-call/calendar-link-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { change } from '../../data/change.js';
import { first } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Icon } from '../../parts/icon.js';
import { Time } from '../../parts/time.js';
import { useForm } from '../../parts/use-form.js';
import { nameOf } from './people.js';
import { TeamPart } from './team-part.js';

/** Secret links by which calendar programs read the shifts. */
export function CalendarFeed({ team }: { team: Team }) {
  const path = `/api/v1/teams/${team.id}/calendar-links`;
  const links = useResource<CalendarLink[]>(path, { pageSize: 200 });
  const [isNew, setNew] = useState(false);
  const [ended, setEnded] = useState<CalendarLink>();
  const [made, setMade] = useState<NewCalendarLink>();
  return (
    <TeamPart
      title="Calendar feed"
      lead="A secret link shows the shifts in Google Calendar, Outlook or a phone."
      actions={
        <Button icon="link" onClick={() => setNew(true)}>
          New link
        </Button>
      }
    >
      {links.data?.length === 0 && <p class="soft">There is no link yet.</p>}
      <ul class="oncall-people">
        {links.data?.map((link) => (
          <li key={link.id}>
            <Icon name="link" />
            <span class="oncall-person">
              {link.name}
              <span class="soft small">
                {link.userId !== first?.user.id &&
                  `of ${nameOf(team.members.find(({ userId }) => userId === link.userId))}, `}
                {link.lastRead ? (
                  <>
                    read <Time at={link.lastRead} />
                  </>
                ) : (
                  'never read'
                )}
              </span>
            </span>
            <Button look="plain" icon="trash" label={`End the link ${link.name}`} onClick={() => setEnded(link)} />
          </li>
        ))}
      </ul>
      {isNew && (
        <NewLinkDialog
          path={path}
          onMade={(link) => {
            setNew(false);
            setMade(link);
          }}
          onClose={() => setNew(false)}
        />
      )}
      {made && (
        <Dialog title="Your link" onClose={() => setMade(undefined)}>
          <p>Anyone with this link can read this calendar and nothing else. It is shown only now.</p>
          <input
            class="input mono"
            readOnly
            aria-label="Link to the calendar"
            value={made.url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <div class="row">
            <CopyButton text={made.url} label="Copy the link" />
            <a class="btn" href={made.url.replace(/^https?:/, 'webcal:')}>
              Open in my calendar
            </a>
          </div>
        </Dialog>
      )}
      {ended && (
        <ConfirmDialog
          title={`End the link ${ended.name}`}
          action="End the link"
          consequences={['Calendars that use it are updated no more.']}
          onConfirm={async () => {
            await change('DELETE', `${path}/${ended.id}`);
            toast('The link no longer works.');
          }}
          onClose={() => setEnded(undefined)}
        />
      )}
    </TeamPart>
  );
}

function NewLinkDialog(props: { path: string; onMade: (link: NewCalendarLink) => void; onClose: () => void }) {
  const { path, onMade, onClose } = props;
  const form = useForm({
    initial: { name: 'My calendar' },
    onSubmit: async (values) => onMade((await change<NewCalendarLink>('POST', path, { body: values })).body),
  });
  return (
    <Dialog title="New calendar link" onClose={onClose}>
      <Form form={form} action="Make the link" onCancel={onClose}>
        <Field name="name" label="Name" hint="Distinguishes your links, so that you can end one of them." />
      </Form>
    </Dialog>
  );
}
