import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { isSecretSetting } from '@watchpost/shared/secrets/secret-header';
import { first } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { Field, Form } from '../../parts/form.js';
import { useEdit } from '../../parts/use-form.js';
import { AdvancedFields } from './advanced-fields.js';
import { MainFields } from './main-fields.js';
import { changesOf, valuesOf } from './monitor-values.js';
import type { PlanView } from './reading.js';
import { TargetResult, useTargetTest } from './target-result.js';

interface EditProps {
  monitor: MonitorView;
  /** Of what was read. */
  etag: string | null;
  plan: PlanView;
  onClose: () => void;
}

/** The settings of a monitor in place. Only what was changed is sent. */
export function EditMonitor({ monitor, etag, plan, onClose }: EditProps) {
  const { form, conflict } = useEdit({
    method: 'PUT',
    path: `/api/v1/monitor/${monitor.id}`,
    read: { data: monitor, etag },
    pick: (shown) => valuesOf(shown, first!.monitorForm),
    toBody: (values, ground) => changesOf(ground, values),
    draft: `monitor ${monitor.id}`,
    isSecret: isSecretSetting,
    onSaved: ({ name }) => {
      toast(`Saved: ${name}`);
      onClose();
    },
  });
  const test = useTargetTest();
  return (
    <div class="lines gap-4 max-52">
      <Form
        form={form}
        action="Save"
        conflict={conflict}
        onCancel={() => {
          form.reset(valuesOf(monitor, first!.monitorForm));
          onClose();
        }}
      >
        <section class="card card-body stack">
          {monitor.heartbeat === null && <Field name="url" label="URL" />}
          <TargetResult test={test} />
          <MainFields form={form} plan={plan} />
          <AdvancedFields form={form} plan={plan} monitorId={monitor.id} test={test} />
        </section>
      </Form>
    </div>
  );
}
