import { expect } from 'chai';
import { create, seedMonitor, type World } from '../../support/seed.js';
import type { Example, ExampleCall, Examples } from '../example.js';

/** A separate address for each world, because the limit of requests a day counts all senders of requests to an address. */
const somebodyOf = ({ workspaceId }: World) => `somebody@w-${workspaceId}.test`;
const phones = new Map<string, string>();
function phoneOf({ workspaceId }: World): string {
  const phone = phones.get(workspaceId) ?? `+49151${30_000_000 + phones.size}`;
  phones.set(workspaceId, phone);
  return phone;
}

/** Makes the plan of the world a trial, so that recipients must confirm from now on. */
async function putOnTrial({ app, owner }: World): Promise<void> {
  await app.sql(
    `UPDATE user_account SET trial_fallback = 'Starter', trial_plan = plan, trial_started = $2, trial_ends = $3 WHERE id = $1`,
    [owner.userId, new Date(app.clock.now()), new Date(app.clock.now() + 86_400_000)],
  );
}

async function seedEmail(world: World): Promise<string> {
  await putOnTrial(world);
  const body = { name: 'Team', recipients: [somebodyOf(world)] };
  return (await create(world.api, '/api/v1/action-groups/email', body)).id;
}

async function seedSms(world: World): Promise<string> {
  await putOnTrial(world);
  const { id } = await seedMonitor(world);
  const body = { name: 'Phones', phoneNumbers: [phoneOf(world)] };
  return (await create(world.api, `/api/v1/monitor/${id}/sms-action-group`, body)).id;
}

async function seedVoice(world: World): Promise<string> {
  await putOnTrial(world);
  const body = { name: 'Phones', phoneNumbers: [phoneOf(world)] };
  return (await create(world.api, '/api/v1/action-groups/voice', body)).id;
}

/** Sends the confirmation requests now. @returns the token of the mail and the code of the SMS */
async function requestOf(world: World): Promise<{ token: string | undefined; code: string | undefined }> {
  const { app, workspaceId } = world;
  await app.sql(
    `UPDATE alert_recipient SET ask_at = $2, asked = 0, confirmed_at = NULL, refused_at = NULL WHERE workspace_id = $1`,
    [workspaceId, new Date(app.clock.now())],
  );
  await app.plane.periodicTasks.find(({ name }) => name === 'ask_recipients')!.run();
  const [mail] = await app.sql<{ text: string }>(
    `SELECT content ->> 'text' AS text FROM outgoing_mail WHERE workspace_id = $1 AND recipient = $2 ORDER BY id DESC LIMIT 1`,
    [workspaceId, somebodyOf(world)],
  );
  const [sms] = await app.sql<{ code: string }>(
    `SELECT extra ->> 'code' AS code FROM delivery WHERE workspace_id = $1 AND purpose = 'confirmation'
     ORDER BY seq DESC LIMIT 1`,
    [workspaceId],
  );
  return { token: /confirm-recipient\/([\w-]+)/.exec(mail?.text ?? '')?.[1], code: sms?.code };
}

async function linked(world: World): Promise<ExampleCall> {
  await seedEmail(world);
  return { params: { token: (await requestOf(world)).token! } };
}
const answers = (state: string): Example => ({
  seed: linked,
  check: ({ body }, world) => expect(body).to.include({ state, recipient: somebodyOf(world) }),
});

const resentBy = (seed: (world: World) => Promise<string>): Example => ({
  seed: async (world) => ({ params: { id: await seed(world) }, body: { phoneNumber: phoneOf(world) } }),
  check: ({ body }, world) => expect(body.recipientsPending).to.deep.equal([phoneOf(world)]),
});

const confirmedBy = (seed: (world: World) => Promise<string>): Example => ({
  seed: async (world) => {
    const id = await seed(world);
    return { params: { id }, body: { phoneNumber: phoneOf(world), code: (await requestOf(world)).code ?? '000000' } };
  },
  check: ({ body }) => expect(body.recipientsPending).to.deep.equal([]),
});

async function ownNumber(world: World): Promise<ExampleCall> {
  await putOnTrial(world);
  const by = await world.member('Viewer');
  const path = `/api/v1/workspaces/${world.workspaceId}/members/me`;
  await create(by.api, path, { notificationPreferences: { phoneNumber: phoneOf(world) } }, 'PATCH');
  return { by };
}

export const recipientExamples: Examples = {
  resendEmailConfirmation: {
    seed: async (world) => ({ params: { id: await seedEmail(world) }, body: { recipient: somebodyOf(world) } }),
    check: ({ body }, world) => expect(body.recipientsPending).to.deep.equal([somebodyOf(world)]),
  },
  resendSmsConfirmation: resentBy(seedSms),
  resendVoiceConfirmation: resentBy(seedVoice),
  confirmSmsRecipient: confirmedBy(seedSms),
  confirmVoiceRecipient: confirmedBy(seedVoice),
  readRecipientLink: answers('pending'),
  confirmRecipient: answers('confirmed'),
  refuseRecipient: answers('refused'),
  getOwnNumber: {
    seed: ownNumber,
    check: ({ body }, world) => expect(body).to.deep.equal({ phoneNumber: phoneOf(world), isConfirmed: false }),
  },
  sendOwnCode: {
    seed: ownNumber,
    check: ({ body }, world) => expect(body).to.deep.equal({ phoneNumber: phoneOf(world), isConfirmed: false }),
  },
  confirmOwnNumber: {
    seed: async (world) => {
      const { by } = await ownNumber(world);
      await create(world.as(by!), `/api/v1/workspaces/${world.workspaceId}/members/me/phone-number/send-code`);
      return { by: by!, body: { code: (await requestOf(world)).code ?? '000000' } };
    },
    check: ({ body }) => expect(body.isConfirmed).to.equal(true),
  },
};
