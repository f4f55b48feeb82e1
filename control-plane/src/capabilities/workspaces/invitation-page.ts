import { found } from '@watchpost/shared/fault';
import { z } from 'zod';
import { hashToken } from '../../platform/identity/secret-token.js';
import { entityTag } from '../../platform/http/entity-tag.js';
import { type Html, html } from '../../platform/http/html.js';
import { PLAIN_PAGE_HEADERS, plainPage } from '../../platform/http/plain-page.js';
import { route, type Route } from '../../platform/http/route.js';
import { statusAt } from './decide-invitation-answer.js';
import { anyInvitationStore } from './invitation-store.js';
import type { InvitationDeps } from './workspace-deps.js';

/** The document behind an invitation link. GET does not accept the invitation, because mail scanners follow links. */
export function invitationPageRoute(deps: InvitationDeps): Route {
  return route({
    method: 'get',
    path: '/invitations/accept',
    operationId: 'getInvitationPage',
    summary: 'The page that the link of an invitation opens',
    description:
      'Describes the invitation, and leads by way of the sign-in to the page of the console on which it is accepted or declined. A browser that is signed in is sent there at once. Opening it changes nothing.',
    tag: 'Invitations',
    scopes: 'anonymous',
    role: null,
    query: z.looseObject({ token: z.string().min(1).max(200) }),
    produces: ['text/html'],
    answers: { 200: { description: 'An HTML page' }, 303: { description: 'To the console, for signed-in browsers' } },
    faults: ['not_found'],
    async handle({ query: { token }, headers, wantsPage }) {
      const invitation = found(
        await deps.db.read((tx) => anyInvitationStore.describeByToken(tx, hashToken(token))),
        'invitation with this link',
      );
      const status = statusAt(invitation, deps.clock.now());
      if (status === 'pending' && wantsPage && (await isSignedIn(deps, headers['cookie']))) {
        return { status: 303, location: consolePathOf(token), headers: { 'Cache-Control': 'no-store' } };
      }
      const content =
        status === 'pending'
          ? describePending(invitation, deps.baseUrl, token)
          : describeEnded(status, invitation.workspaceName);
      const body = plainPage('Invitation', content);
      return { body, type: 'text/html; charset=utf-8', headers: { ...PLAIN_PAGE_HEADERS, ETag: entityTag(body) } };
    },
  });
}

async function isSignedIn(deps: InvitationDeps, cookie: string | string[] | undefined): Promise<boolean> {
  return typeof cookie === 'string' && (await deps.isSignedIn?.(cookie)) === true;
}

/** Where the console asks for the answer. */
function consolePathOf(token: string): string {
  return `/console/invitations/${encodeURIComponent(token)}`;
}

function describePending(
  { workspaceName, role, expiresAt }: { workspaceName: string; role: string; expiresAt: Date },
  baseUrl: string,
  token: string,
): Html {
  const call = (verb: string) =>
    `curl -X POST ${baseUrl}/api/v1/invitations/${verb} -H "Authorization: Bearer $TOKEN" ` +
    `-H "Content-Type: application/json" -d '${JSON.stringify({ token }).replaceAll("'", String.raw`\u0027`)}'`;
  return html`<h1>You are invited to ${workspaceName}</h1>
    <p>
      You would be its ${role}. The invitation is open until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')}
      UTC.
    </p>
    <p>Sign in with the account that has the invited email address. Then you accept or decline with a button.</p>
    <form class="row" method="get" action="${baseUrl}/console/sign-in">
      <input type="hidden" name="returnTo" value="${consolePathOf(token)}" />
      <button>Sign in to accept</button>
    </form>
    <details>
      <summary>Without a browser</summary>
      <p>With an access token of that account, a program accepts:</p>
      <p><code>${call('accept')}</code></p>
      <p>Or declines:</p>
      <p><code>${call('decline')}</code></p>
    </details>`;
}

function describeEnded(status: keyof typeof NEXT_STEPS, workspaceName: string): Html {
  return html`<h1>This invitation is ${status}</h1>
    <p>${NEXT_STEPS[status]} The workspace is ${workspaceName}.</p>`;
}

const NEXT_STEPS = {
  expired: 'Ask the person who invited you for a new link.',
  revoked: 'If you still want to join, ask an admin of the workspace for a new invitation.',
  declined: 'If you want to join after all, ask an admin of the workspace for a new invitation.',
  accepted: 'Sign in with the account that accepted it to work in the workspace.',
} as const;
