import type {
  CalendarLink,
  NewCalendarLink,
} from '@watchpost/control-plane/capabilities/on-call/calendar-link-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { WHOLE } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { first } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { ask, Dialog, show } from '../../parts/dialog.js';
import { Button, CopyButton, ReadOnly, Icon } from '../../parts/button.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { Unread } from '../../parts/loaded.js';
import { Time } from '../../parts/marks.js';
import { Section } from '../../parts/section.js';
import { nameOf } from './people.js';

/** Secret links by which calendar programs read the shifts. */
export function CalendarFeed({ team }: { team: Team }) {
  const path = `/api/v1/teams/${team.id}/calendar-links`;
  const links = useResource<CalendarLink[]>(path, WHOLE);
  const end = ({ id, name }: CalendarLink) =>
    ask({
      title: `End the link ${name}`,
      action: 'End the link',
      consequences: ['Calendars that use it are updated no more.'],
      onConfirm: () => change('DELETE', `${path}/${id}`).then(() => toast('The link no longer works.')),
    });
  return (
    <Section
      look="part"
      title="Calendar feed"
      lead="A secret link shows the shifts in Google Calendar, Outlook or a phone."
      aside={<Button text="New link" icon="link" onClick={() => show(<NewLink path={path} />)} />}
    >
      <Unread needs={[links]} />
      {links.data?.length === 0 && <p class="soft">There is no link yet.</p>}
      <ul class="oncall-people list lines gap-2">
        {links.data?.map((link) => (
          <li key={link.id} class="flex center gap-2">
            <Icon name="link" />
            <span class="lines grow">
              {link.name}
              <span class="soft small">
                {link.userId !== first?.user.id &&
                  `of ${nameOf(team.members.find(({ userId }) => userId === link.userId))}, `}
                {link.lastRead ? <Time at={link.lastRead} before="read " /> : 'never read'}
              </span>
            </span>
            <Button look="plain" icon="trash" label={`End the link ${link.name}`} onClick={() => end(link)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NewLink({ path }: { path: string }) {
  return (
    <FormDialog
      title="New calendar link"
      action="Make the link"
      initial={{ name: 'My calendar' }}
      onSubmit={async (body) => {
        const { url } = (await change<NewCalendarLink>('POST', path, { body })).body;
        show(
          <Dialog title="Your link">
            <p>Anyone with this link can read this calendar and nothing else. It is shown only now.</p>
            <ReadOnly label="Link to the calendar" value={url} />
            <div class="row">
              <CopyButton text={url} label="Copy the link" />
              <Button text="Open in my calendar" href={url.replace(/^https?:/, 'webcal:')} />
            </div>
          </Dialog>,
        );
      }}
    >
      {() => <Field name="name" label="Name" hint="Distinguishes your links, so that you can end one of them." />}
    </FormDialog>
  );
}
