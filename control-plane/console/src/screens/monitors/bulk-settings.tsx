import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import type { ServiceGroupView } from '@watchpost/control-plane/capabilities/monitors/service-groups/service-group-schemas';
import { WHOLE } from '../../data/address.js';
import { useResource } from '../../data/resources.js';
import { type BulkSettings as Settings, type Subject } from '../../frame/acting.js';
import { Dialog, useClose } from '../../parts/dialog.js';
import { Field, FieldGroup, Form } from '../../parts/form.js';
import { durationMs, durationText } from '../../parts/format.js';
import { Checks, Choice, named } from '../../parts/inputs.js';
import { useForm } from '../../parts/use-form.js';
import { intervalOptions } from '../monitor/monitor-values.js';
import { useRegions } from '../monitor/reading.js';
import { BulkPreview } from './bulk-preview.js';

interface Values {
  settings: {
    checkInterval: string;
    numberOfChecksBeforeAlert: string;
    numberOfChecksBeforeRecovery: string;
    /** null: each keeps its own. */
    enabledRegions: string[] | null;
    serviceGroupId: string;
    teamId: string;
  };
}

const SAME = { value: '', label: 'Each keeps its own' };
const NONE = { value: 'none', label: 'None' };
const COUNTS = Array.from({ length: 10 }, (_, index) => ({ value: `${index + 1}`, label: `${index + 1}` }));

/** Settings that many monitors get at once: only what is chosen here changes. Shows how many it is about before it happens. */
export function BulkSettings(props: {
  what: string;
  subject: Subject;
  onChange: (settings: Settings) => Promise<unknown>;
}) {
  const { what, subject, onChange } = props;
  const close = useClose();
  const regions = useRegions();
  const form = useForm<Values>({
    initial: {
      settings: {
        checkInterval: '',
        numberOfChecksBeforeAlert: '',
        numberOfChecksBeforeRecovery: '',
        enabledRegions: null,
        serviceGroupId: '',
        teamId: '',
      },
    },
    onSubmit: async (values) => {
      await onChange(chosenIn(values));
      close();
    },
  });
  const teams = useResource<Team[]>('/api/v1/teams', WHOLE).data;
  const groups = useResource<ServiceGroupView[]>('/api/v1/service-group', WHOLE).data;
  const { enabledRegions } = form.values.value.settings;
  const chosen = chosenIn(form.values.value);
  return (
    <Dialog title={`Change settings of ${what}`}>
      <Form form={form} action="Change them" onCancel={close} needs={enabledRegions === null ? [] : [regions]}>
        <Field name="settings.checkInterval" label="Checked every" options={[SAME, ...intervalOptions()]} />
        <div class="beside">
          <Field
            name="settings.numberOfChecksBeforeAlert"
            label="Failures before an alert"
            options={[SAME, ...COUNTS]}
          />
          <Field
            name="settings.numberOfChecksBeforeRecovery"
            label="Successes before recovery"
            options={[SAME, ...COUNTS]}
          />
        </div>
        <div class="beside">
          <Field
            name="settings.serviceGroupId"
            label="Service group"
            hint="At most one monitor per type"
            options={[SAME, NONE, ...named(groups)]}
          />
          <Field
            name="settings.teamId"
            label="Team"
            hint="Paged without a service group"
            options={[SAME, NONE, ...named(teams)]}
          />
        </div>
        <FieldGroup name="settings.enabledRegions" label="Regions" hint="Beyond the home region">
          <Choice
            label="Regions"
            options={[SAME, { value: 'these', label: 'All get these' }]}
            value={enabledRegions === null ? '' : 'these'}
            onChange={(value) => form.set('settings.enabledRegions', value === '' ? null : [])}
          />
          {enabledRegions !== null && (
            <div class="lines columns-14 gap-3-4">
              <Checks
                options={(regions.data ?? [])
                  .slice(1)
                  .map(({ region, location }) => ({ value: region, label: location }))}
                values={enabledRegions}
                onChange={(names) => form.set('settings.enabledRegions', names)}
              />
            </div>
          )}
        </FieldGroup>
        <BulkPreview
          subject={subject}
          change={isEmpty(chosen) ? undefined : { action: 'update', settings: chosen }}
          describe={(settings) => describeFormer(settings, [...(groups ?? []), ...(teams ?? [])])}
        />
      </Form>
    </Dialog>
  );
}

function chosenIn({ settings }: Values): Settings {
  const { checkInterval, numberOfChecksBeforeAlert, numberOfChecksBeforeRecovery, enabledRegions, ...routing } =
    settings;
  const { serviceGroupId, teamId } = routing;
  return {
    ...(checkInterval !== '' && { checkInterval }),
    ...(numberOfChecksBeforeAlert !== '' && { numberOfChecksBeforeAlert: Number(numberOfChecksBeforeAlert) }),
    ...(numberOfChecksBeforeRecovery !== '' && { numberOfChecksBeforeRecovery: Number(numberOfChecksBeforeRecovery) }),
    ...(enabledRegions !== null && { enabledRegions }),
    ...(serviceGroupId !== '' && { serviceGroupId: serviceGroupId === NONE.value ? null : serviceGroupId }),
    ...(teamId !== '' && { teamId: teamId === NONE.value ? null : teamId }),
  };
}

const isEmpty = (settings: Settings) => Object.keys(settings).length === 0;

interface Former {
  checkInterval?: string;
  numberOfChecksBeforeAlert?: number;
  numberOfChecksBeforeRecovery?: number;
  enabledRegions?: string[];
  serviceGroupId?: string | null;
  teamId?: string | null;
}

/** `every 5 min, alert after 2, no team`. */
function describeFormer(former: Former, owners: readonly { id: string; name: string }[]): string {
  const { checkInterval, numberOfChecksBeforeAlert, numberOfChecksBeforeRecovery, enabledRegions } = former;
  const owner = (id: string | null | undefined, kind: string) =>
    id === undefined
      ? []
      : [id === null ? `no ${kind}` : (owners.find((one) => one.id === id)?.name ?? `another ${kind}`)];
  return [
    ...(checkInterval === undefined ? [] : [`every ${durationText(durationMs(checkInterval) ?? 0)}`]),
    ...(numberOfChecksBeforeAlert === undefined ? [] : [`alert after ${numberOfChecksBeforeAlert}`]),
    ...(numberOfChecksBeforeRecovery === undefined ? [] : [`recovery after ${numberOfChecksBeforeRecovery}`]),
    ...(enabledRegions === undefined ? [] : [enabledRegions.join(' and ') || 'no further region']),
    ...owner(former.serviceGroupId, 'service group'),
    ...owner(former.teamId, 'team'),
  ].join(', ');
}
