import { expect } from 'chai';
import { create, type World } from '../../support/seed.js';
import type { ExampleCall, Examples } from '../example.js';

interface Invited {
  id: string;
  link: string;
}

function invite({ api, workspaceId }: World, email = 'ann@example.test'): Promise<Invited> {
  return create<Invited>(api, `/api/v1/workspaces/${workspaceId}/invitations`, { email, role: 'Responder' });
}
const invited = async (world: World): Promise<ExampleCall> => ({ params: { invitationId: (await invite(world)).id } });

/** A call by the invited person with the token of the link. */
async function answering(world: World): Promise<ExampleCall> {
  const person = await world.app.user();
  const { link } = await invite(world, person.email);
  return { by: person, body: { token: new URL(link).searchParams.get('token') } };
}

export const invitationExamples: Examples = {
  createInvitation: {
    seed: () => ({ body: { email: 'Ann@Example.test', role: 'Editor' } }),
    check: ({ body }) => expect(body).to.include({ email: 'ann@example.test', role: 'Editor', status: 'pending' }),
  },
  listInvitations: { seed: async (world) => void (await invite(world)) },
  getInvitation: { seed: invited },
  revokeInvitation: { seed: invited },
  regenerateInvitationLink: { seed: invited, check: ({ body }) => expect(body.link).to.match(/\?token=.{20,}/) },
  acceptInvitation: {
    seed: answering,
    check: ({ body }, world) => expect(body).to.include({ id: world.workspaceId, role: 'Responder' }),
  },
  getInvitationOffer: {
    seed: async (world) => {
      const person = await world.app.user();
      const { link } = await invite(world, person.email);
      return { by: person, params: { token: new URL(link).searchParams.get('token')! } };
    },
    check: ({ body }) => expect(body).to.include({ role: 'Responder', status: 'pending', isForYou: true }),
  },
  getInvitationPage: {
    seed: async (world) => ({ query: new URL((await invite(world)).link).searchParams.toString() }),
    check: ({ headers }) => expect(headers.get('content-type')).to.match(/^text\/html/),
  },
  declineInvitation: { seed: answering },
};
