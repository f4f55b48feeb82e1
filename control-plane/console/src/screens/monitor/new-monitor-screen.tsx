import { NotThere, Screen } from '../../frame/screen.js';
import type { ActionGroupView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { faultOfField } from '../../data/api-fault.js';
import type { NewAlertPreview } from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import { onlyReads } from '@watchpost/shared/one-off-tests';
import { isSecretSetting } from '@watchpost/shared/secrets/secret-header';
import type { MonitorValues, MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { paramsOf, WHOLE } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { first, hasRole, pathTo } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { EmptyState, Loaded, Unread } from '../../parts/loaded.js';
import { Field, Form } from '../../parts/form.js';
import { Section, Tabs } from '../../parts/section.js';
import { URL_ATTRIBUTES } from '../../parts/inputs.js';
import { useFocus } from '../../parts/use-focus.js';
import { useForm } from '../../parts/use-form.js';
import { AlertMe, attachGroups, GroupChoices, WhoHears } from './alerts-section.js';
import { AdvancedFields } from './advanced-fields.js';
import { MainFields } from './main-fields.js';
import { bodyOfNew, isChecked, newHeartbeat, valuesOfCopy } from './monitor-values.js';
import { planWith } from './plan-texts.js';
import { readTarget, suggestTypes, urlFor } from './target.js';
import { TargetResult, useTargetTest } from './target-result.js';
import { usePlan, useRegions, type PlanView } from './reading.js';

/**
 * Paste a URL: it is tested at once, and what was found leads to the settings. `?url=` names one, `?from=` copies a monitor,
 * `?type=heartbeat` is for a job that reports itself.
 */
export function NewMonitorScreen() {
  const { url } = useLocation();
  const address = paramsOf(url);
  const from = address.get('from');
  const original = useResource<MonitorView>(from === null ? null : `/api/v1/monitor/${encodeURIComponent(from)}`);
  const readPlan = usePlan();
  if (!hasRole('Editor')) {
    return (
      <Screen title="New monitor">
        <EmptyState icon="monitors" title="Your role cannot add monitors">
          An editor of this workspace can, and an admin can make you one.
        </EmptyState>
      </Screen>
    );
  }
  const plan = readPlan.data;
  if (plan === undefined || (from !== null && original.data === undefined))
    return <NotThere title="New monitor" of={plan === undefined ? readPlan : original} rows={8} />;
  const { monitors, name, products } = plan;
  if (monitors.limit !== null && monitors.used >= monitors.limit) {
    const more = planWith(products, ({ limits }) => (limits.monitors ?? Infinity) > monitors.limit!);
    return (
      <Screen title="New monitor">
        <EmptyState
          icon="monitors"
          title={`All ${monitors.limit} monitors of ${name} are in use`}
          action={<Button text="Monitors" href={pathTo('/monitors')} />}
        >
          {more === undefined ? 'Delete one to make room.' : `${more} has more. Or delete one to make room.`}
        </EmptyState>
      </Screen>
    );
  }
  const begun = first!.monitorForm;
  const copy = original.data && valuesOfCopy(original.data, begun);
  const type = address.get('type');
  const fresh = type === 'heartbeat' ? newHeartbeat(begun) : { ...begun.initial, url: address.get('url') ?? '' };
  return (
    <NewMonitor
      key={`${from} ${type} ${address.get('url')}`}
      plan={plan}
      given={copy?.values ?? fresh}
      isCopy={copy !== undefined}
      missing={copy?.missing ?? []}
    />
  );
}

interface NewMonitorProps {
  plan: PlanView;
  given: MonitorValues;
  isCopy: boolean;
  /** The secrets that are not copied. */
  missing: readonly string[];
}

function NewMonitor({ plan, given, isCopy, missing }: NewMonitorProps) {
  const { route } = useLocation();
  const readRegions = useRegions();
  const regions = readRegions.data;
  const test = useTargetTest();
  const groups = useResource<ActionGroupView[]>('/api/v1/action-groups', WHOLE);
  const [groupIds, setGroupIds] = useState<readonly string[]>(plan.defaultGroupIds);
  const suggested = useRef<string>(JSON.stringify(given.monitorTypes));
  const field = useRef<HTMLInputElement>(null);
  const isHeartbeat = given.heartbeat !== null;

  const form = useForm<MonitorValues>({
    initial: given,
    draft: `new-monitor ${isCopy ? given.name : isHeartbeat ? 'heartbeat' : given.url}`,
    isSecret: isSecretSetting,
    onSubmit: async (values) => {
      const target = readTarget(values.url);
      const { body } = await change<MonitorView>('POST', '/api/v1/monitor', {
        body: bodyOfNew({ ...values, url: target ? urlFor(target, values.monitorTypes) : values.url.trim() }),
      });
      // It begins with the default groups.
      await attachGroups(body.id, groupIds, plan.defaultGroupIds).catch(toastFault);
      toast(`Created: ${body.name}`);
      route(pathTo(`/monitors/${body.id}`));
    },
  });
  const values = form.values.value;

  /** Tests what is in the field, and suggests types for it unless others were chosen. */
  const run = () => {
    const target = readTarget(form.values.peek().url);
    if (target === undefined)
      return void (form.fault.value = faultOfField('url', 'Enter a valid URL, such as https://example.com'));
    form.fault.value = undefined;
    const now = form.values.peek();
    if (!isCopy && JSON.stringify(now.monitorTypes) === suggested.current) {
      const types = suggestTypes(target, plan.types);
      suggested.current = JSON.stringify(types);
      form.set('monitorTypes', types);
    }
    if (isChecked(now.monitorTypes)) test.run(target, now);
  };
  /** Unless it was tested already, or its requests can change something: that is for people to decide. */
  const runIfNew = () => {
    const { url, http } = form.values.peek();
    if (!onlyReads([http, ...http.steps])) return;
    const target = readTarget(url);
    // Nothing is at fault yet: people are typing.
    if (target !== undefined && target.url !== test.target.peek()?.url) run();
  };

  useFocus(() => {
    if (form.values.peek().url === '') field.current?.focus();
    else runIfNew();
  });

  // Suggested once, as soon as it is known which regions have agents.
  const isRegionsKnown = regions !== undefined;
  useLayoutEffect(() => {
    if (
      isCopy ||
      isHeartbeat ||
      regions === undefined ||
      (form.isChanged() && form.values.peek().enabledRegions.length > 0)
    )
      return;
    const most = Math.min(2, plan.extraRegions ?? 2);
    const healthy = regions.slice(1).filter(({ state, agents }) => state === 'healthy' && agents > 0);
    if (most > 0 && healthy.length > 0)
      form.set(
        'enabledRegions',
        healthy.slice(0, most).map(({ region }) => region),
      );
  }, [isRegionsKnown]);

  return (
    <Screen
      title={isCopy ? 'Copy of a monitor' : 'New monitor'}
      documentTitle="New monitor"
      lead={
        !isCopy && (
          <Tabs
            label="Kind"
            tabs={[
              { href: pathTo('/monitors/new'), label: 'Website, name or port', isCurrent: !isHeartbeat },
              {
                href: pathTo('/monitors/new', { type: 'heartbeat' }),
                label: 'Heartbeat of a job',
                isCurrent: isHeartbeat,
              },
            ]}
          />
        )
      }
    >
      <div class="new-monitor">
        <Form
          form={form}
          action="Create monitor"
          needs={isCopy || isHeartbeat ? [] : [readRegions]}
          onCancel={() => route(pathTo('/monitors'))}
        >
          {!isHeartbeat && (
            <section class="card card-body stack">
              <Field
                name="url"
                label="URL"
                hint="https://shop.example, or tcp://db.example:5432. It is tested at once, and nothing is saved yet."
              >
                {({ set, attributes }) => (
                  <div class="with-end lines gap-2">
                    <input
                      ref={field}
                      {...attributes}
                      {...URL_ATTRIBUTES}
                      class="input text-m"
                      value={values.url}
                      onInput={({ currentTarget }) => set(currentTarget.value)}
                      onPaste={() => setTimeout(runIfNew)}
                      onBlur={runIfNew}
                      onKeyDown={(event) => {
                        if (event.key !== 'Enter') return;
                        event.preventDefault();
                        run();
                      }}
                    />
                    {isChecked(values.monitorTypes) && (
                      <Button text="Test" icon="refresh" isBusy={test.isRunning()} onClick={run} />
                    )}
                  </div>
                )}
              </Field>
              {isChecked(values.monitorTypes) && <TargetResult test={test} />}
            </section>
          )}
          <section class="card card-body stack">
            {missing.length > 0 && (
              <p class="note note-partial">
                Secrets are not copied. Enter them again under Advanced settings: {missing.join(', ')}.
              </p>
            )}
            <MainFields form={form} plan={plan} />
            <AdvancedFields form={form} plan={plan} test={test} />
          </section>
          <Section look="card" class="new-monitor-hears" title="Who hears if it fails">
            <Unread needs={[groups]} />
            {groups.data !== undefined && groups.data.length > 0 && (
              <GroupChoices
                groups={groups.data}
                values={groupIds}
                onChange={setGroupIds}
                defaults={plan.defaultGroupIds}
              />
            )}
            <Preview
              groupIds={groupIds}
              serviceGroupId={values.serviceGroupId}
              teamId={values.teamId}
              onMade={(id) => setGroupIds([...groupIds, id])}
            />
          </Section>
        </Form>
      </div>
    </Screen>
  );
}

interface PreviewProps extends Pick<MonitorValues, 'serviceGroupId' | 'teamId'> {
  groupIds: readonly string[];
  onMade: (groupId: string) => void;
}

function Preview({ groupIds, serviceGroupId, teamId, onMade }: PreviewProps) {
  const preview = useResource<NewAlertPreview>('/api/v1/alert-preview', {
    serviceGroupId,
    teamId,
    actionGroupId: groupIds,
  });
  return (
    <Loaded of={preview} rows={2}>
      {(data) => (
        <>
          <WhoHears preview={data} />
          {!data.willAnyoneHear && <AlertMe onMade={onMade} />}
        </>
      )}
    </Loaded>
  );
}
