import { useEffect, useState } from 'preact/hooks';
import { type BulkChange, previewChange, type Subject } from '../../frame/acting.js';
import { Dialog, useClose } from '../../parts/dialog.js';
import { Field, FieldGroup, Form } from '../../parts/form.js';
import { countText } from '../../parts/format.js';
import { Checks, Choice } from '../../parts/inputs.js';
import { useLater } from '../../parts/use-later.js';
import { useForm } from '../../parts/use-form.js';
import { intervalOptions } from '../monitor/main-fields.js';
import { useRegions } from '../monitor/reading.js';

type Settings = NonNullable<BulkChange['settings']>;

interface Values {
  settings: {
    checkInterval: string;
    numberOfChecksBeforeAlert: string;
    numberOfChecksBeforeRecovery: string;
    /** null: each keeps its own. */
    enabledRegions: string[] | null;
  };
}

const SAME = { value: '', label: 'Each keeps its own' };
const COUNTS = Array.from({ length: 10 }, (_, index) => ({ value: `${index + 1}`, label: `${index + 1}` }));

/** Settings that many monitors get at once: only what is chosen here changes. Shows how many it is about before it happens. */
export function BulkSettings(props: {
  what: string;
  subject: Subject;
  onChange: (settings: Settings) => Promise<unknown>;
}) {
  const { what, subject, onChange } = props;
  const close = useClose();
  const regions = useRegions()?.slice(1);
  const form = useForm<Values>({
    initial: {
      settings: {
        checkInterval: '',
        numberOfChecksBeforeAlert: '',
        numberOfChecksBeforeRecovery: '',
        enabledRegions: null,
      },
    },
    onSubmit: async (values) => {
      await onChange(chosenIn(values));
      close();
    },
  });
  const { enabledRegions } = form.values.value.settings;
  return (
    <Dialog title={`Change settings of ${what}`}>
      <Form form={form} action="Change them" onCancel={close}>
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
                options={(regions ?? []).map(({ region, location }) => ({ value: region, label: location }))}
                values={enabledRegions}
                onChange={(names) => form.set('settings.enabledRegions', names)}
              />
            </div>
          )}
        </FieldGroup>
        <Preview subject={subject} settings={chosenIn(form.values.value)} />
      </Form>
    </Dialog>
  );
}

/** The settings to send: those that were chosen. */
function chosenIn({ settings }: Values): Settings {
  const { checkInterval, numberOfChecksBeforeAlert, numberOfChecksBeforeRecovery, enabledRegions } = settings;
  return {
    ...(checkInterval !== '' && { checkInterval }),
    ...(numberOfChecksBeforeAlert !== '' && { numberOfChecksBeforeAlert: Number(numberOfChecksBeforeAlert) }),
    ...(numberOfChecksBeforeRecovery !== '' && { numberOfChecksBeforeRecovery: Number(numberOfChecksBeforeRecovery) }),
    ...(enabledRegions !== null && { enabledRegions }),
  };
}

/** Shows how many of them change. Faults are shown where the change is tried. */
function Preview({ subject, settings }: { subject: Subject; settings: Settings }) {
  const [text, setText] = useState('');
  const chosen = useLater(JSON.stringify(settings));
  useEffect(() => {
    let isLatest = true;
    const read = async () => {
      if (chosen === '{}') return setText('Nothing is chosen yet.');
      const { matched, changed } = await previewChange(subject, {
        action: 'update',
        settings: JSON.parse(chosen) as Settings,
      });
      if (isLatest) setText(`${countText(changed, 'monitor')} of ${matched} will change.`);
    };
    read().catch(() => isLatest && setText(''));
    return () => void (isLatest = false);
  }, [chosen]);
  return (
    <p class="soft num" role="status">
      {text || '\u00a0'}
    </p>
  );
}
