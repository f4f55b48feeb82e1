import { useState } from 'preact/hooks';
import type {
  CalendarLink,
  NewCalendarLink,
} from '@watchpost/control-plane/capabilities/on-call/calendar-link-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { change, useResource } from '../../data/resources.js';
import { first } from '../../data/session.js';
import { ask, toast } from '../../frame/messages.js';
import { Button, CopyButton, ReadOnly, Icon } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { Time } from '../../parts/marks.js';
import { Section } from '../../parts/section.js';
import { nameOf } from './people.js';

/** Secret links by which calendar programs read the shifts. */
export function CalendarFeed({ team }: { team: Team }) {
  const path = `/api/v1/teams/${team.id}/calendar-links`;
  const links = useResource<CalendarLink[]>(path, { pageSize: 200 });
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<NewCalendarLink>();
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
      aside={<Button text="New link" icon="link" onClick={() => setNew(true)} />}
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
                {link.lastRead ? <Time at={link.lastRead} before="read " /> : 'never read'}
              </span>
            </span>
            <Button look="plain" icon="trash" label={`End the link ${link.name}`} onClick={() => end(link)} />
          </li>
        ))}
      </ul>
      {isNew && (
        <FormDialog
          title="New calendar link"
          action="Make the link"
          initial={{ name: 'My calendar' }}
          onSubmit={async (body) => setMade((await change<NewCalendarLink>('POST', path, { body })).body)}
          onClose={() => setNew(false)}
        >
          {() => <Field name="name" label="Name" hint="Distinguishes your links, so that you can end one of them." />}
        </FormDialog>
      )}
      {made && (
        <Dialog title="Your link" onClose={() => setMade(undefined)}>
          <p>Anyone with this link can read this calendar and nothing else. It is shown only now.</p>
          <ReadOnly label="Link to the calendar" value={made.url} />
          <div class="row">
            <CopyButton text={made.url} label="Copy the link" />
            <Button text="Open in my calendar" href={made.url.replace(/^https?:/, 'webcal:')} />
          </div>
        </Dialog>
      )}
    </Section>
  );
}
