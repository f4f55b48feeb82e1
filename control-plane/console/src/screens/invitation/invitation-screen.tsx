import type { InvitationOffer } from '@watchpost/control-plane/capabilities/workspaces/invitation-schemas';
import { useState } from 'preact/hooks';
import { asFault, type ApiFault } from '../../data/api-fault.js';
import { request } from '../../data/api.js';
import { first } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Screen } from '../../frame/screen.js';
import { Button } from '../../parts/button.js';
import { EmptyState, FaultNote, NotLoaded } from '../../parts/loaded.js';
import { Time } from '../../parts/marks.js';

const MAY: Readonly<Record<InvitationOffer['role'], string>> = {
  Viewer: 'You would see everything, and change nothing.',
  Responder: 'You would see everything, and acknowledge, note and close incidents.',
  Editor: 'You would handle incidents, and set up monitors, alerts and status pages.',
  Admin: 'You would set up everything, and manage members, teams and settings.',
};
const ENDED: Readonly<Record<Exclude<InvitationOffer['status'], 'pending'>, readonly [string, string]>> = {
  expired: ['This invitation has expired', 'Ask the person who invited you for a new link.'],
  revoked: ['This invitation was revoked', 'If you still want to join, ask an admin of the workspace for a new one.'],
  declined: [
    'This invitation was declined',
    'If you want to join after all, ask an admin of the workspace for a new one.',
  ],
  accepted: ['This invitation was used already', 'Sign in with the account that accepted it to work in the workspace.'],
};

export function InvitationScreen({ params }: { params: Record<string, string> }) {
  const token = params['token'] ?? '';
  const read = useResource<InvitationOffer>(`/api/v1/invitation-links/${encodeURIComponent(token)}`);
  const [fault, setFault] = useState<ApiFault>();
  const [busy, setBusy] = useState<'accept' | 'decline'>();
  const [isDeclined, setDeclined] = useState(false);
  const offer = read.data;

  const answer = async (verb: 'accept' | 'decline') => {
    setBusy(verb);
    setFault(undefined);
    try {
      const { body } = await request<{ id: string }>('POST', `/api/v1/invitations/${verb}`, { body: { token } });
      // The document of the workspace has the new membership.
      if (verb === 'accept') location.assign(`/console/w/${body.id}`);
      else setDeclined(true);
    } catch (error) {
      setFault(asFault(error));
      read.reload();
    }
    setBusy(undefined);
  };

  if (offer === undefined) {
    return (
      <Screen title="Invitation">
        <NotLoaded
          of={read}
          missing={
            <EmptyState icon="search" title="There is no invitation with this link" action={<Home />}>
              The link may have been replaced by a newer one: look for the latest mail, or ask the person who invited
              you.
            </EmptyState>
          }
        />
      </Screen>
    );
  }
  const { workspaceId, workspaceName, role, status, expiresAt, invitedBy, email, isForYou } = offer;
  if (workspaceId !== null) {
    return (
      <Screen title={workspaceName} documentTitle="Invitation">
        <EmptyState
          icon="check"
          title="You are a member of this workspace"
          action={<Button text={`Go to ${workspaceName}`} look="primary" href={`/console/w/${workspaceId}`} />}
        >
          There is nothing left to answer.
        </EmptyState>
      </Screen>
    );
  }
  if (isDeclined || status !== 'pending') {
    const [title, next] = isDeclined
      ? ['You have declined', `Nothing else happens. ${invitedBy ?? 'An admin'} can invite you again.`]
      : ENDED[status as keyof typeof ENDED];
    return (
      <Screen title={`Invitation to ${workspaceName}`}>
        <EmptyState icon="incidents" title={title} action={<Home />}>
          {next}
        </EmptyState>
      </Screen>
    );
  }
  return (
    <Screen title={`You are invited to ${workspaceName}`}>
      <section class="card card-body stack max-40">
        <p>
          {invitedBy === null ? 'Somebody' : <strong>{invitedBy}</strong>} invites <strong>{email}</strong> to be{' '}
          {/^[AE]/.test(role) ? 'an' : 'a'} <strong>{role}</strong> of <strong>{workspaceName}</strong>. {MAY[role]}
        </p>
        <p class="soft">
          It is open until <Time at={expiresAt} as="moment" />.
        </p>
        {isForYou ? (
          <div class="row">
            <Button text="Accept" look="primary" isBusy={busy === 'accept'} onClick={() => void answer('accept')} />
            <Button text="Decline" isBusy={busy === 'decline'} onClick={() => void answer('decline')} />
            <span class="soft small">As {first?.user.email ?? first?.user.name}</span>
          </div>
        ) : (
          <div class="note note-partial stack">
            <p>
              <strong>This invitation is for another address.</strong> You are signed in as{' '}
              {first?.user.email ?? first?.user.name}. Sign out, and sign in with the address that was invited.
            </p>
            <form method="post" action="/console/sign-out">
              <Button text="Sign out" type="submit" />
            </form>
          </div>
        )}
        {fault && <FaultNote fault={fault} />}
      </section>
    </Screen>
  );
}

function Home() {
  return <Button text="Go to the console" href="/console" />;
}
