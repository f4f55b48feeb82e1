import { resource } from '../../platform/http/resource.js';
import { route, type ApiAnswer, type Route } from '../../platform/http/route.js';
import { linkTokenParams } from '../../platform/http/schemas.js';
import { acceptInvitation, declineInvitation } from './answer-invitation.js';
import { invitationPageRoute } from './invitation-page.js';
import {
  invitationInput,
  invitationOfferSchema,
  invitationSchema,
  invitationTokenInput,
  type InvitationWithLink,
  invitationWithLinkSchema,
} from './invitation-schemas.js';
import {
  getInvitation,
  INVITATION_DAYS,
  inviteMember,
  listInvitations,
  MAX_LINKS_A_DAY,
  MAX_LISTED_INVITATIONS,
  MAX_PENDING_INVITATIONS,
  regenerateLink,
  revokeInvitation,
} from './invitations.js';
import { readInvitationOffer } from './read-invitation-offer.js';
import type { InvitationDeps } from './workspace-deps.js';
import { workspaceSchema } from './workspace-schemas.js';

const tag = 'Invitations';
const PASSING_ON = `The link is mailed to the address and is in this answer, and works for ${INVITATION_DAYS} days.`;

/** The ETag covers the invitation without its link, which is shown only once. */
function answer({ link, ...invitation }: InvitationWithLink): ApiAnswer {
  return { body: { ...invitation, link }, resource: invitation };
}

export function invitationRoutes(deps: InvitationDeps): Route[] {
  return [...managingRoutes(deps), ...answeringRoutes(deps), invitationPageRoute(deps)];
}

const invitation = resource({
  path: '/api/v1/workspaces/{id}/invitations',
  name: 'invitation',
  tag,
  workspaceParam: 'id',
  schema: invitationSchema,
  read: { scopes: ['account.read'], role: 'Admin' },
  write: { scopes: ['account.write'], role: 'Admin' },
  param: 'invitationId',
});

function managingRoutes(deps: InvitationDeps): Route[] {
  return [
    invitation.create({
      summary: 'Invite a person by email',
      description: `${PASSING_ON} Inviting an address again replaces its pending or expired invitation. A workspace has at most ${MAX_PENDING_INVITATIONS} pending invitations, and ${MAX_LISTED_INVITATIONS} with the expired ones. All workspaces of an owner together make at most ${MAX_LINKS_A_DAY.ofOwner} links a day for one address; a person makes at most ${MAX_LINKS_A_DAY.ofInviter} a day.`,
      body: invitationInput,
      created: invitationWithLinkSchema,
      faults: ['already_member', 'plan_limit_exceeded'],
      run: ({ actor, body }) => inviteMember(deps, actor, body),
      answer,
    }),
    invitation.list({
      summary: 'List pending and expired invitations',
      description:
        'Newest first. An expired invitation stays in the list until it is regenerated, revoked or replaced by another.',
      run: ({ actor }, rows) => listInvitations(deps, actor, rows),
    }),
    invitation.get({
      summary: 'Get an invitation, whatever its status',
      run: ({ actor, params }) => getInvitation(deps, actor, params.invitationId),
    }),
    invitation.delete({
      operationId: 'revokeInvitation',
      audits: ['invitation.revoked'],
      summary: 'Revoke a pending or expired invitation',
      description: 'Its link is of no use from then on.',
      faults: ['invitation_not_pending'],
      run: ({ actor, params }) => revokeInvitation(deps, actor, params.invitationId),
    }),
    invitation.change({
      method: 'post',
      below: '/regenerate-link',
      operationId: 'regenerateInvitationLink',
      audits: ['invitation.link_regenerated'],
      summary: 'Make a new link for a pending or expired invitation',
      description: `The old link is of no use from then on, and an expired invitation is pending again. ${PASSING_ON}`,
      schema: invitationWithLinkSchema,
      faults: ['invitation_not_pending', 'plan_limit_exceeded'],
      run: ({ actor, params }) => regenerateLink(deps, actor, params.invitationId),
      answer,
    }),
  ];
}

function answeringRoutes(deps: InvitationDeps): Route[] {
  const own = { tag, scopes: ['account.write'], role: null, apiKeys: false } as const;
  const refusals = ['not_found', 'not_invited', 'invitation_expired', 'invitation_not_pending'] as const;
  return [
    route({
      method: 'get',
      path: '/api/v1/invitation-links/{token}',
      operationId: 'getInvitationOffer',
      summary: 'Get the invitation of a link that you were given',
      description: 'To which workspace, as what, by whom, and whether you may answer it. Reading it changes nothing.',
      ...own,
      scopes: ['account.read'],
      params: linkTokenParams,
      secretPath: true,
      answers: { 200: { description: 'What the invitation offers', schema: invitationOfferSchema } },
      faults: ['not_found'],
      run: ({ caller, params }) => readInvitationOffer(deps, caller, params.token),
    }),
    route({
      method: 'post',
      path: '/api/v1/invitations/accept',
      operationId: 'acceptInvitation',
      audits: ['member.joined'],
      summary: 'Accept an invitation',
      description:
        'You join the workspace with the invited role. Where your email is verified, it must be the one invited. A token that was never given out, or whose link was replaced, is not found.',
      ...own,
      body: invitationTokenInput,
      answers: { 200: { description: 'The workspace that you belong to now', schema: workspaceSchema } },
      faults: [...refusals, 'already_member', 'plan_limit_exceeded'],
      run: ({ caller, via, body }) => acceptInvitation(deps, { caller, via }, body.token),
    }),
    route({
      method: 'post',
      path: '/api/v1/invitations/decline',
      operationId: 'declineInvitation',
      audits: ['invitation.declined'],
      summary: 'Decline an invitation',
      ...own,
      body: invitationTokenInput,
      answers: { 204: { description: 'It is declined' } },
      faults: refusals,
      run: ({ caller, via, body }) => declineInvitation(deps, { caller, via }, body.token),
    }),
  ];
}
