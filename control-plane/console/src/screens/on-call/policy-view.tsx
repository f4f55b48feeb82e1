import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import type { EscalationPolicyView } from '@watchpost/control-plane/capabilities/on-call/escalation-policy-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { paramsOf } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Form } from '../../parts/form.js';
import { Loaded, NoSuch } from '../../parts/loaded.js';
import { useDelete } from '../../parts/use-delete.js';
import { type FormModel, useEdit, useForm } from '../../parts/use-form.js';
import { PartHead, PlanNote, teamHref } from './part-head.js';
import { PolicyFields } from './policy-fields.js';
import { PolicyPages, PolicyTimeline } from './policy-timeline.js';
import { faultsOfTargets, policyValues, type PolicyValues, problemsOf } from './policy-values.js';
import { useTargets } from './use-targets.js';

/** Where a policy of a team is shown; `new` is one that is made, as a copy of another. */
export function policyHref(teamId: string, policyId: string, copyOf?: string): string {
  return pathTo('/on-call', { tab: 'teams', team: teamId, policy: policyId, copy: copyOf });
}

/** An escalation policy: who would be paged when, beside its steps. */
export function PolicyView({ team, policyId }: { team: Team; policyId: string }) {
  const { url } = useLocation();
  const path = `/api/v1/teams/${team.id}/escalation-policies`;
  const isNew = policyId === 'new';
  // Without a policy to copy, the built-in one has the id of the team.
  const read = useResource<EscalationPolicyView>(
    `${path}/${isNew ? (paramsOf(url).get('copy') ?? team.id) : policyId}`,
  );
  return (
    <Loaded
      of={read}
      rows={8}
      missing={
        <NoSuch kind="policy" all={teamHref(team.id)}>
          Somebody may have deleted it.
        </NoSuch>
      }
    >
      {(policy) =>
        isNew ? (
          <NewPolicy team={team} path={path} from={policy} />
        ) : (
          <OnePolicy team={team} path={`${path}/${policyId}`} policy={policy} etag={read.etag} />
        )
      }
    </Loaded>
  );
}

interface OneProps {
  team: Team;
  path: string;
  policy: EscalationPolicyView;
  etag: string | null;
}

function OnePolicy({ team, path, policy, etag }: OneProps) {
  const askToDelete = useDelete();
  const mayChange = hasRole('Admin');
  const remove = () =>
    askToDelete({
      name: policy.name,
      path,
      etag,
      back: teamHref(team.id),
      consequences: ['Incidents that it pages for go on with the policy that counts then.'],
    });
  return (
    <>
      <PartHead team={team} name={policy.name}>
        {mayChange && (
          <>
            <Button text="Copy" icon="copy" href={policyHref(team.id, 'new', policy.id)} />
            {!policy.builtIn && <Button text="Delete" icon="trash" onClick={remove} />}
          </>
        )}
      </PartHead>
      {policy.planRestricted && <PlanNote>The plan does not cover this policy, so it does not count.</PlanNote>}
      {policy.builtIn && <p class="soft below-4">It counts where no other policy does. Copy it to change it.</p>}
      {mayChange && !policy.builtIn ? (
        <EditPolicy team={team} path={path} policy={policy} etag={etag} />
      ) : (
        <PolicyPages team={team} policy={policy} />
      )}
    </>
  );
}

function EditPolicy({ team, path, policy, etag }: OneProps) {
  const { form, conflict } = useEdit<EscalationPolicyView, PolicyValues>({
    method: 'PATCH',
    path,
    read: { data: policy, etag },
    pick: policyValues,
    draft: `policy:${policy.id}`,
    hasLabels: true,
    onSaved: ({ name }) => toast(`${name} is saved.`),
  });
  return <Editor form={form} team={team} from={policy} action="Save the policy" conflict={conflict} />;
}

function NewPolicy({ team, path, from }: { team: Team; path: string; from: EscalationPolicyView }) {
  const { route } = useLocation();
  const form = useForm<PolicyValues>({
    initial: { ...policyValues(from), name: from.builtIn ? 'Escalation' : `Copy of ${from.name}` },
    draft: `policy:${team.id}:new`,
    onSubmit: async (body) => {
      const { body: made } = await change<EscalationPolicyView>('POST', path, { body });
      toast(`${made.name} is made.`);
      route(policyHref(team.id, made.id), true);
    },
  });
  return (
    <>
      <PartHead team={team} name="New escalation policy" />
      <Editor form={form} team={team} from={from} action="Make the policy" />
    </>
  );
}

interface EditorProps {
  form: FormModel<PolicyValues>;
  team: Team;
  /** It was so before it was edited. */
  from: EscalationPolicyView;
  action: string;
  conflict?: ComponentChildren;
}

function Editor({ form, team, from, action, conflict }: EditorProps) {
  const targets = useTargets(team);
  const problems = problemsOf(from);
  const { steps } = form.values.value;
  useEffect(() => void (form.foreseen.value = faultsOfTargets(steps, problems)), [form, steps, from]);
  return (
    <div class="oncall-plan gap-5">
      <PolicyTimeline values={form.values.value} team={team} targets={targets} problems={problems} />
      <Form form={form} action={action} conflict={conflict}>
        <PolicyFields form={form} targets={targets} />
      </Form>
    </div>
  );
}
