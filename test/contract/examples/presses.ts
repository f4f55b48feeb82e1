import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { makeCode } from '@watchpost/control-plane/capabilities/recipients/consent/confirmation-secrets';
import { create, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { pagerdutyEvent, slackPress, twilioCall } from '../../support/signed-calls.js';
import type { ExampleCall, Examples } from '../example.js';

const SIGNING = '8f742231b10e8888abcd99yyyzzz85a5';
const ACCOUNT = 'U024BE7LH';

/** An account in Slack of a member, confirmed, or with a code to confirm it by. */
async function seedAccount(
  { app, workspaceId }: World,
  memberId: string,
  isConfirmed: boolean,
  { use, type, address } = { use: 'press', type: 'slack', address: ACCOUNT },
): Promise<string> {
  const id = newId(app.clock.now());
  const { code, secret } = makeCode(app.secretBox, id);
  const now = new Date(app.clock.now());
  await app.sql(
    `INSERT INTO chat_account (id, workspace_id, member_id, use, type, account_id, created, confirmed_at, secret, secret_until)
     VALUES ($1, $2, $3, $9, $10, $4, $5, $6, $7, $8)`,
    [
      id,
      workspaceId,
      memberId,
      address,
      now,
      isConfirmed ? now : null,
      secret,
      new Date(app.clock.now() + 60_000),
      use,
      type,
    ],
  );
  return code;
}

/** A request of Twilio about a call that was made to test a group. */
async function callOf({ api, app }: World, path: string, form: Record<string, string>): Promise<ExampleCall> {
  const body = { name: 'Phones', phoneNumbers: ['+353871234567'] };
  const { id } = await create(api, '/api/v1/action-groups/voice', body);
  const { deliveries } = await create<{ deliveries: { id: string }[] }>(api, `/api/v1/action-groups/${id}/test`);
  const messageId = deliveries[0]!.id;
  const url = `${app.baseUrl}/api/v1/channels/voice/calls/${messageId}${path}`;
  return { params: { messageId }, ...twilioCall(url, form) };
}

export const pressExamples: Examples = {
  answerCall: {
    unknown: [401, 'invalid_token'],
    entries: [],
    seed: (world) => callOf(world, '', { CallStatus: 'in-progress' }),
  },
  reportCall: {
    unknown: [401, 'invalid_token'],
    seed: (world) => callOf(world, '/status', { CallStatus: 'completed' }),
  },
  confirmChatAccount: {
    seed: async (world) => {
      const by = await world.member('Viewer');
      const code = await seedAccount(world, by.memberId, false);
      return { by, body: { type: 'slack', id: ACCOUNT, code } };
    },
    check: ({ body }) => expect(body).to.deep.equal({ type: 'slack', id: ACCOUNT, isConfirmed: true }),
  },
  confirmContactMethod: {
    seed: async (world) => {
      const by = await world.member('Viewer');
      const method = { type: 'ntfy', address: 'https://ntfy.example.test/ann-a1B2c3D4e5F6' };
      const code = await seedAccount(world, by.memberId, false, { use: 'page', ...method });
      return { by, body: { ...method, code } };
    },
    check: ({ body }) => expect(body).to.include({ type: 'ntfy', isConfirmed: true }),
  },
  pressButton: {
    unknown: [401, 'invalid_token'],
    author: ['user', 'chat'],
    seed: async (world) => {
      const { api, app } = world;
      const given = {
        name: 'Team',
        webhookUrl: 'https://hooks.slack.com/services/T/B/abcdefghijkl',
        signingSecret: SIGNING,
      };
      const { id: groupId } = await create(api, '/api/v1/action-groups/slack', given);
      await seedAccount(world, (await world.member('Responder')).memberId, true);
      const incidentId = await seedIncident(world, (await seedMonitor(world)).id);
      const press = slackPress(SIGNING, app.clock.now(), { user: ACCOUNT, incidentId, answerTo: 'https://127.0.0.1/' });
      return { params: { type: 'slack', groupId }, ...press };
    },
    check: ({ body }) => expect(body).to.deep.equal({}),
  },
  takeServiceEvent: {
    unknown: [401, 'invalid_token'],
    author: ['system', 'service'],
    entries: ['incident.acknowledged'],
    seed: async (world) => {
      const given = { name: 'Team', integrationKey: '0'.repeat(32), webhookSecret: SIGNING };
      const { id: groupId } = await create(world.api, '/api/v1/action-groups/pagerduty', given);
      const incidentId = await seedIncident(world, (await seedMonitor(world)).id);
      return {
        params: { type: 'pagerduty', groupId },
        ...pagerdutyEvent(SIGNING, 'incident.acknowledged', incidentId),
      };
    },
    check: ({ body }) => expect(body).to.deep.equal({}),
  },
};
