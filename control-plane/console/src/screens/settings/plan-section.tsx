import { factsOf, type MonitorType } from '@watchpost/shared/monitor-types';
import { LIMIT_KEYS, LIMIT_NOUNS, type LimitKey } from '@watchpost/shared/plan-limits';
import { change, useResource } from '../../data/resources.js';
import { first, hasRole, workspaceId, workspaces } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { ask } from '../../parts/dialog.js';
import { Button } from '../../parts/button.js';
import { Loaded } from '../../parts/loaded.js';
import { Meter } from '../../parts/meter.js';
import { capitalized, numberText } from '../../parts/format.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/marks.js';
import { nextPlanText } from './plan-use.js';
import type { Product, UserView, WorkspaceView } from './views.js';

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
            <div class="card card-body lines columns-18 gap-4-6">
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
          <Section look="stack" title="All plans" lead={<HowToChange />}>
            <Loaded of={plans} rows={8}>
              {(all) => <PlanTable plans={all} own={data.plan} />}
            </Loaded>
          </Section>
        </>
      )}
    </Loaded>
  );
}

function HowToChange() {
  if (!first?.isLocal) return <>The operator of this installation changes a plan.</>;
  return (
    <>
      Change a plan where the service runs, with{' '}
      <code>npm run admin -- set-plan --user {first.user.email ?? first.user.id} --plan Growth</code>. New accounts
      begin with <code>DEFAULT_PLAN</code>.
    </>
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

function PlanTable({ plans, own }: { plans: readonly Product[]; own: string }) {
  const yes = (has: boolean) => (has ? 'Yes' : '–');
  const limitOf = ({ limits }: Product, limit: LimitKey) =>
    limits[limit] === null ? 'No limit' : numberText(limits[limit]);
  const rows: Record<string, (plan: Product) => string> = {
    ...Object.fromEntries(
      LIMIT_KEYS.map((limit) => [capitalized(LIMIT_NOUNS[limit]), (plan: Product) => limitOf(plan, limit)]),
    ),
    Checks: ({ features }) => features.monitorTypes.map((type) => factsOf(type as MonitorType).label).join(', '),
    'Custom timeout': ({ features }) => yes(features.customTimeout),
    Rotations: ({ features }) => yes(features.rotations),
    'Banner on status pages': ({ features }) => yes(features.banner),
    'Assistants (MCP)': ({ features: { mcpRead, mcpWrite } }) =>
      mcpWrite ? 'Read and change' : mcpRead ? 'Read' : '–',
    'Emails a day': ({ dailyBudgets }) => numberText(dailyBudgets.mails),
    'SMS a day': ({ dailyBudgets }) => numberText(dailyBudgets.sms),
    'Stored output of jobs a day': ({ dailyBudgets }) => `${numberText(Math.round(dailyBudgets.pingKib / 1_024))} MiB`,
    'Invitations a day': ({ dailyBudgets }) => numberText(dailyBudgets.invitations),
  };
  const look = ({ name }: Product) => (name === own ? 'strong' : undefined);
  // The plans stay beside each other on a phone, to be compared.
  return (
    <table class="card plans" aria-label="All plans">
      <thead>
        <tr>
          <th scope="col">Limit</th>
          {plans.map((plan) => (
            <th key={plan.name} scope="col" class={look(plan)}>
              {plan.name}
              {plan.name === own && ' (now)'}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Object.entries(rows).map(([label, valueOf]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {plans.map((plan) => (
              <td key={plan.name} class={look(plan)}>
                {valueOf(plan)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
