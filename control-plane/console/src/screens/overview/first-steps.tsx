import { useState } from 'preact/hooks';
import type { Member } from '@watchpost/control-plane/capabilities/workspaces/member-schemas';
import { useResource } from '../../data/resources.js';
import { hasRole, pathTo, workspaceId } from '../../data/session.js';
import { toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { show } from '../../parts/dialog.js';
import { Section } from '../../parts/section.js';

/** Who has so many monitors is no newcomer. */
const FEW_MONITORS = 20;

/** Names what a new workspace needs until somebody hears of its outages: each step ticks itself. Shows nothing once they are hidden. */
export function FirstSteps({ monitors }: { monitors: number }) {
  const [isHidden, setHidden] = useState(readHidden);
  if (isHidden || monitors >= FEW_MONITORS || !hasRole('Editor')) return null;
  return (
    <Steps
      monitors={monitors}
      onHide={() => {
        try {
          localStorage.setItem(keyOf(), 'hidden');
        } catch {
          // Without storage they are hidden as long as the page lives.
        }
        setHidden(true);
      }}
    />
  );
}

function Steps({ monitors, onHide }: { monitors: number; onHide: () => void }) {
  const mayInvite = hasRole('Admin');
  const members = `/api/v1/workspaces/${workspaceId.value}`;
  const channels = useCount('/api/v1/action-groups');
  const pages = useCount('/api/v1/status-page');
  // A machine client, which has no address, is nobody.
  const people = useResource<Member[]>(`${members}/members`, { pageSize: 5 }).data?.filter(
    ({ email }) => email !== null,
  );
  const invitations = useCount(mayInvite ? `${members}/invitations` : null);
  const steps = [
    { label: 'Watch a site, a job or a server', isDone: monitors > 0, href: pathTo('/monitors/new') },
    {
      label: 'Choose who hears when it fails',
      isDone: channels !== undefined && channels > 0,
      href: pathTo('/alerts', { channel: 'new' }),
    },
    { label: 'Publish a status page', isDone: pages !== undefined && pages > 0, href: pathTo('/status-pages') },
    {
      label: 'Invite somebody',
      isDone: (people?.length ?? 0) > 1 || (invitations ?? 0) > 0,
      href: pathTo('/settings/members', { new: 1 }),
      isLeftOut: !mayInvite,
    },
  ].filter(({ isLeftOut }) => !isLeftOut);
  const left = steps.filter(({ isDone }) => !isDone).length;
  return (
    <Section
      title="First steps"
      lead={left === 0 ? 'All is set up.' : 'They tick themselves.'}
      aside={<Button look="plain" text="Hide" onClick={onHide} />}
    >
      <ol class="card list divided">
        {steps.map(({ label, isDone, href }) => (
          <li key={label} class="first-step flex center gap-3 pad-2-4">
            <input type="checkbox" checked={isDone} aria-label={`${label}: ${isDone ? 'done' : 'not done'}`} disabled />
            {isDone ? <span class="soft">{label}</span> : <a href={href}>{label}</a>}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Leads to what brings monitors from elsewhere. */
export function ImportLine() {
  return (
    <p class="soft above-3">
      Or bring what you have:{' '}
      <button type="button" class="underline bare" onClick={importDocument}>
        a document, or monitors of Uptime Kuma
      </button>
    </p>
  );
}

function importDocument(): void {
  void import('../administering.js').then((file) => show(<file.ImportDialog />), toastFault);
}

/** @returns how many there are; undefined until it is known */
function useCount(path: string | null): number | undefined {
  return useResource<unknown[]>(path, { pageSize: 1 }).total ?? undefined;
}

function keyOf(): string {
  return `first-steps:${workspaceId.value}`;
}

function readHidden(): boolean {
  try {
    return localStorage.getItem(keyOf()) !== null;
  } catch {
    return false;
  }
}
