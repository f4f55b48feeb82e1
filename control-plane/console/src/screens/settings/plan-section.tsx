import { factsOf, type MonitorType } from '@watchpost/shared/monitor-types';
import { LIMIT_KEYS, LIMIT_NOUNS } from '@watchpost/shared/plan-limits';
import { change, useResource } from '../../data/resources.js';
import { hasRole, workspaceId, workspaces } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { ask } from '../../parts/dialog.js';
import { Button } from '../../parts/button.js';
import { Loaded } from '../../parts/loaded.js';
import { Meter } from '../../parts/meter.js';
import { capitalized, numberText } from '../../parts/format.js';
import { Section } from '../../parts/section.js';
import { type Column, Table } from '../../parts/table.js';
import { Time } from '../../parts/marks.js';
import { nextPlanText } from './plan-use.js';
import type { Product, UserView, WorkspaceView } from './views.js';

/** The plan, what of it is used, and what the others have. */
export function PlanSection() {
  const workspace = useResource<WorkspaceView>(`/api/v1/workspaces/${workspaceId.value}`);
  const plans = useResource<Product[]>('/api/v1/product');
  return (
    <Loaded of={workspace} rows={8}>
      {(data) => (
        <>
          <Section
            look="stack"
            title={`${data.plan} plan`}
            lead={
              hasRole('Owner')
                ? 'Your plan and its limits hold for all workspaces that you own, together.'
                : "The Owner's plan holds here. Its limits count all workspaces of the Owner together."
            }
          >
            {hasRole('Owner') && <TrialNote plans={plans.data ?? []} />}
            <div class="card card-body settings-meters">
              {LIMIT_KEYS.map((limit) => {
                const next = nextPlanText(limit, data, plans.data ?? []);
                return (
                  <div key={limit}>
                    <Meter
                      label={capitalized(LIMIT_NOUNS[limit])}
                      value={data.usage[limit]}
                      limit={data.limits[limit]}
                    />
                    {next && plans.data && <p class="small soft">{next}</p>}
                  </div>
                );
              })}
            </div>
          </Section>
          <Section look="stack" title="All plans" lead="The operator of this installation changes a plan.">
            <Loaded of={plans} rows={8}>
              {(all) => <PlanTable plans={all} own={data.plan} />}
            </Loaded>
          </Section>
        </>
      )}
    </Loaded>
  );
}

/** The trial of the user: that it can begin, runs, or is over. */
function TrialNote({ plans }: { plans: readonly Product[] }) {
  const user = useResource<UserView>('/api/v1/user');
  if (user.data === undefined || plans.length === 0) return null;
  const { trial, plan, id } = user.data;
  const greater = plans
    .slice(plans.findIndex(({ name }) => name === plan) + 1)
    .filter(({ trialDays }) => trialDays > 0);
  if (trial.status === 'active' && trial.ends !== null) {
    return (
      <p class="note note-partial">
        <span>
          You are trying {trial.plan} until <Time at={trial.ends} as="moment" />: {trial.daysRemaining}{' '}
          {trial.daysRemaining === 1 ? 'day' : 'days'} left. Then what is over your own plan is paused, and nothing is
          deleted.
        </span>
      </p>
    );
  }
  if (trial.status !== 'none' || greater.length === 0) return null;
  const begin = ({ name, trialDays }: Product) =>
    ask({
      title: `Try ${name} for ${trialDays} days?`,
      action: 'Start the trial',
      isDanger: false,
      consequences: [
        'It holds at once in every workspace that you own.',
        'Afterwards what is over your own plan is paused, the newest first. Nothing is deleted.',
        'You can try one plan, once.',
      ],
      onConfirm: async () => {
        await change('PUT', `/api/v1/user/${id}/trial`, { body: { plan: name } });
        workspaces.value = workspaces.peek().map((each) => (each.role === 'Owner' ? { ...each, plan: name } : each));
        toast(`${name} holds for ${trialDays} days.`);
      },
    });
  return (
    <div class="note">
      <p>Try a greater plan free of charge for {greater[0]!.trialDays} days, once.</p>
      <div class="row">
        {greater.map((each) => (
          <Button key={each.name} text={`Try ${each.name}`} onClick={() => begin(each)} />
        ))}
      </div>
    </div>
  );
}

interface PlanRow {
  label: string;
  valueOf: (plan: Product) => string;
}

function PlanTable({ plans, own }: { plans: readonly Product[]; own: string }) {
  const yes = (has: boolean) => (has ? 'Yes' : '–');
  const rows: PlanRow[] = [
    ...LIMIT_KEYS.map((limit): PlanRow => {
      const valueOf = ({ limits }: Product) => (limits[limit] === null ? 'No limit' : numberText(limits[limit]));
      return { label: capitalized(LIMIT_NOUNS[limit]), valueOf };
    }),
    {
      label: 'Checks',
      valueOf: ({ features }) => features.monitorTypes.map((type) => factsOf(type as MonitorType).label).join(', '),
    },
    { label: 'Custom timeout', valueOf: ({ features }) => yes(features.customTimeout) },
    { label: 'Rotations', valueOf: ({ features }) => yes(features.rotations) },
    { label: 'Banner on status pages', valueOf: ({ features }) => yes(features.banner) },
    {
      label: 'Assistants (MCP)',
      valueOf: ({ features: { mcpRead, mcpWrite } }) => (mcpWrite ? 'Read and change' : mcpRead ? 'Read' : '–'),
    },
    { label: 'Emails a day', valueOf: ({ dailyBudgets }) => numberText(dailyBudgets.mails) },
    { label: 'SMS a day', valueOf: ({ dailyBudgets }) => numberText(dailyBudgets.sms) },
    {
      label: 'Stored output of jobs a day',
      valueOf: ({ dailyBudgets }) => `${numberText(Math.round(dailyBudgets.pingKib / 1_024))} MiB`,
    },
    { label: 'Invitations a day', valueOf: ({ dailyBudgets }) => numberText(dailyBudgets.invitations) },
  ];
  return (
    <Table
      label="All plans"
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        { label: 'Limit', cell: ({ label }) => label },
        ...plans.map((plan): Column<PlanRow> => {
          const isOwn = plan.name === own;
          return {
            label: isOwn ? `${plan.name} (now)` : plan.name,
            cell: ({ valueOf }) => (isOwn ? <strong>{valueOf(plan)}</strong> : valueOf(plan)),
          };
        }),
      ]}
    />
  );
}
