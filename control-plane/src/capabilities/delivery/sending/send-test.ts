import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import { Fault, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { channelOf, destinationsOf, type NotifiedEvent } from '../../channels/index.js';
import { resolveDestination, type SealedGroup } from '../../group-settings/index.js';
import { alertEventStore } from '../queue/alert-event-store.js';
import { decideThrottle } from './decide-throttle.js';
import { type NewDelivery, TEST_PURPOSE } from '../queue/delivery.js';
import type { DeliveryDeps } from '../delivery-deps.js';
import type { TestResult } from '../reading/delivery-schemas.js';
import { deliveryStore, type NamedGroup } from '../queue/delivery-store.js';
import { loggedAttempt } from './logged-attempt.js';
import { describeDelivery } from '../reading/read-deliveries.js';
import { deliveryLaneOf } from '../queue/delivery-lane.js';
import { admitMessage } from '../admission/admit-message.js';
import { type AttemptOutcome, attemptDelivery } from './attempt-delivery.js';

/** The number of destinations that are sent to at once. */
const AT_ONCE = 25;
/** Limits the messages that a workspace can send to strangers by tests. */
export const MAX_TESTS = { count: 20, messages: 100, windowMs: 10 * 60_000 };

/**
 * Sends one test message to every destination of a group now, whether or not the group is enabled.
 * @throws Fault not_found, rate_limited
 */
export async function sendTest(deps: DeliveryDeps, actor: Actor, groupId: string): Promise<TestResult> {
  const { workspaceId } = actor.workspace;
  const nowMs = deps.clock.now();
  const event = await deps.db.transaction(async (tx) => {
    const group = found(await deliveryStore.group(workspaceId, tx, groupId, 'FOR NO KEY UPDATE'), 'action group');
    const messages = addressesOf(group).length;
    await requireWithinTests(tx, workspaceId, messages, nowMs);
    const id = newId(nowMs);
    const test = { id, at: new Date(nowMs), groupName: group.name, messages };
    return { id, group, workspaceName: await alertEventStore.insertTest(workspaceId, tx, test) };
  });
  const test: NotifiedEvent = {
    id: event.id,
    workspaceId,
    type: 'test',
    atMs: nowMs,
    detail: { groupName: event.group.name },
    subject: { workspaceName: event.workspaceName, monitor: null, incident: null, person: null },
  };
  const deliveries = deliveriesOf(workspaceId, event.id, event.group, nowMs);
  for (let at = 0; at < deliveries.length; at += AT_ONCE) {
    await Promise.all(deliveries.slice(at, at + AT_ONCE).map((delivery) => sendOne(deps, delivery, test)));
  }
  const stored = await deps.db.read((tx) => deliveryStore.ofEvent(workspaceId, tx, event.id));
  // In the order of the group's addresses: they are stored as their attempts end.
  const rows = deliveries.flatMap(({ id }) => stored.filter((row) => row.id === id));
  return { delivered: rows.every(({ state }) => state === 'delivered'), deliveries: rows.map(describeDelivery) };
}

async function sendOne(deps: DeliveryDeps, delivery: NewDelivery, event: NotifiedEvent): Promise<void> {
  const { workspaceId } = delivery;
  const nowMs = deps.clock.now();
  const outcome = (await throttled(deps, delivery, nowMs)) ?? (await send(deps, delivery, event, nowMs));
  await deps.db.transaction((tx) =>
    deliveryStore.insertTried(workspaceId, tx, delivery, {
      state: outcome.kind === 'sent' ? 'delivered' : 'failed',
      wasTried: outcome.kind !== 'refused',
      statusCode: outcome.statusCode,
      answer: outcome.answer,
      error: outcome.kind === 'refused' ? outcome.error : null,
      at: new Date(deps.clock.now()),
      nextAttempt: null,
      messageId: null,
      attempt: loggedAttempt(outcome, new Date(deps.clock.now()), null),
    }),
  );
}

async function send(
  deps: DeliveryDeps,
  delivery: NewDelivery,
  event: NotifiedEvent,
  nowMs: number,
): Promise<AttemptOutcome> {
  const group = await deps.db.read((tx) => deliveryStore.group(delivery.workspaceId, tx, delivery.groupId!));
  const enabled: SealedGroup | null = group && { ...group, isEnabled: true };
  const destination = resolveDestination(deps.secretBox, delivery, enabled, nowMs);
  if (typeof destination === 'string') return { kind: 'failed', statusCode: null, answer: destination };
  return attemptDelivery(
    { ...deps, admit: (message) => deps.db.transaction((tx) => admitMessage(deps, tx, message)) },
    delivery.workspaceId,
    destination,
    delivery,
    [{ event, extra: {} }],
    nowMs,
  );
}

async function throttled(
  { db }: DeliveryDeps,
  { channel, workspaceId, lane }: NewDelivery,
  nowMs: number,
): Promise<SendOutcome | null> {
  const { throttle } = channelOf(channel);
  if (!throttle) return null;
  const since = new Date(nowMs - throttle.windowMs);
  const sent = await db.read((tx) => deliveryStore.sentSince({ workspaceId, lane }, tx, since));
  if (decideThrottle(sent, nowMs, throttle) === null) return null;
  const answer = `Not sent: the recipient has had ${throttle.most} messages in ${throttle.windowMs / 60_000} minutes.`;
  return { kind: 'failed', statusCode: null, answer };
}

function deliveriesOf(workspaceId: string, eventId: string, group: NamedGroup, nowMs: number): NewDelivery[] {
  const { id: groupId, type: channel } = group;
  return addressesOf(group).map((address) => ({
    id: newId(nowMs),
    workspaceId,
    eventId,
    groupId,
    channel,
    address,
    lane: deliveryLaneOf(channel, address, groupId, TEST_PURPOSE).lane,
    purpose: TEST_PURPOSE,
    extra: {},
  }));
}

function addressesOf({ type, settings }: NamedGroup): string[] {
  const channel = channelOf(type);
  const destinations = destinationsOf(channel, settings);
  return channel.isPersonal || destinations.length > 0 ? destinations : [''];
}

async function requireWithinTests(tx: Tx, workspaceId: string, more: number, nowMs: number): Promise<void> {
  const { count, messages, windowMs } = MAX_TESTS;
  const sent = await deliveryStore.countTests(workspaceId, tx, new Date(nowMs - windowMs));
  if (sent.tests < count && sent.messages + more <= messages) return;
  const message = `A workspace sends at most ${count} tests, of ${messages} messages together, in ${windowMs / 60_000} minutes. Try again later.`;
  throw new Fault('rate_limited', message, [], windowMs / 1_000);
}
