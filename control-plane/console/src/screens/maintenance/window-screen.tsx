import { HOUR_MS } from '@watchpost/shared/time';
import { NotThere, Screen } from '../../frame/screen.js';
import type { OccurrenceView, WindowView } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import { useLocation } from 'preact-iso';
import { paramsOf } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { nowMs } from '../../data/clock.js';
import { hasRole, pathTo } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { ask } from '../../parts/dialog.js';
import { useDelete } from '../../parts/use-delete.js';
import { Button } from '../../parts/button.js';
import { EditForm } from '../../parts/edit-form.js';
import { EmptyState } from '../../parts/loaded.js';
import { Form, OWN_ZONE } from '../../parts/form.js';
import { localText } from '../../parts/format.js';
import { Time } from '../../parts/marks.js';
import { useForm } from '../../parts/use-form.js';
import { Occurrences, WindowFields, WindowState } from './window-fields.js';
import { repeatText } from './repeat.js';
import { changesOf, scopeText, timeText, valuesOf, type WindowValues } from './window-values.js';

const PATH = '/api/v1/maintenance-windows';

/** Plans maintenance; `?monitorId=` names what it covers. */
export function NewWindowScreen() {
  const { url, route } = useLocation();
  const monitorId = paramsOf(url).get('monitorId');
  const form = useForm<WindowValues>({
    initial: {
      name: '',
      description: '',
      startsAt: localText(Math.ceil((nowMs() + 1) / HOUR_MS) * HOUR_MS),
      timezone: OWN_ZONE,
      duration: 'PT1H',
      recurrence: null,
      scope: { monitorIds: monitorId === null ? [] : [monitorId], serviceGroupIds: [], tags: [], all: false },
      checks: 'run',
      statusPageIds: [],
      notifySubscribers: false,
    },
    draft: `new-window ${monitorId ?? ''}`,
    onSubmit: async (body) => {
      const created = await change<WindowView>('POST', PATH, { body });
      toast(`Planned: ${created.body.name}`);
      route(pathTo(`/maintenance/${created.body.id}`));
    },
  });
  return (
    <Screen title="New maintenance window">
      {hasRole('Editor') ? (
        <div class="max-52">
          <Form form={form} action="Plan maintenance" onCancel={() => route(pathTo('/maintenance'))}>
            <WindowFields form={form} />
          </Form>
        </div>
      ) : (
        <EmptyState icon="maintenance" title="Your role cannot plan maintenance">
          An editor of this workspace can.
        </EmptyState>
      )}
    </Screen>
  );
}

export function WindowScreen({ params }: { params: Record<string, string> }) {
  const window = useResource<WindowView>(`${PATH}/${encodeURIComponent(params['id'] ?? '')}`);
  if (window.data !== undefined && window.fault?.status !== 404) {
    return <Shown key={window.data.id} window={window.data} />;
  }
  return (
    <NotThere
      title="Maintenance window"
      of={window}
      rows={8}
      kind="maintenance window"
      all={pathTo('/maintenance')}
      why="It was deleted, or it belongs to another workspace."
    />
  );
}

function Shown({ window }: { window: WindowView }) {
  const askToDelete = useDelete();
  const path = `${PATH}/${window.id}`;
  const { name, state, nextOccurrence: next, recurrence, scope } = window;
  const coming = useResource<OccurrenceView[]>(`${path}/occurrences`);
  const isActive = state === 'active';
  const questions = {
    end: {
      title: `End ${name} now?`,
      action: 'End now',
      isDanger: false,
      consequences: ['What still fails opens its incident within seconds, and people are paged.'],
      onConfirm: () => change('POST', `${path}/end`).then(() => toast(`Ended: ${name}`)),
    },
    skip: {
      title: `Skip the next occurrence of ${name}?`,
      action: 'Skip it',
      isDanger: false,
      consequences: ['Monitors are watched as ever at that time.', 'Later occurrences stay.'],
      onConfirm: () => change('POST', `${path}/skip-next`).then(() => toast(`Skipped: the next of ${name}`)),
    },
  };
  const remove = () =>
    askToDelete({
      name,
      path,
      back: pathTo('/maintenance'),
      consequences: [
        ...(isActive ? ['It ends now: what still fails opens its incident.'] : []),
        'Uptime goes on leaving out what it covered until now.',
      ],
    });
  return (
    <Screen
      title={
        <span class="monitor-title row">
          {name} <WindowState window={window} />
        </span>
      }
      documentTitle={name}
      actions={
        hasRole('Editor') && (
          <>
            {isActive && <Button text="End now" onClick={() => ask(questions.end)} />}
            {next && <Button text="Skip next" onClick={() => ask(questions.skip)} />}
            <Button text="Delete" icon="trash" onClick={remove} />
          </>
        )
      }
      lead={
        <p>
          {repeatText(recurrence)}: {timeText(window)}. Covers: {scopeText(scope)}.{' '}
          {next && <Time at={next.start} as="moment" before="Next: " after="." />}
        </p>
      }
    >
      {hasRole('Editor') ? (
        <div class="max-52">
          <EditForm
            method="PUT"
            path={path}
            pick={valuesOf}
            toBody={changesOf}
            draft={`window ${window.id}`}
            saved={(body) => `Saved: ${body.name}`}
          >
            {(form) => <WindowFields form={form} />}
          </EditForm>
        </div>
      ) : (
        <section class="card card-body">
          <Occurrences of={coming.data} />
        </section>
      )}
    </Screen>
  );
}
