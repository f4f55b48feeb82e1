import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import { html } from '../../../platform/http/html.js';
import type { Via } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import { CALL_PATH, channelOf, composeForGroup, type createChannels } from '../../channels/index.js';
import { phoneCalls } from '../../delivery/index.js';
import { escalateNow } from '../../paging/index.js';
import { type IncidentDeps, readSomeIncidents } from '../read-incidents.js';
import { acknowledgeAs, whyNotAllowed } from './acknowledge-as.js';
import type { CallDeps } from './answer-call.js';
import { phoneMemberStore } from './service-call-store.js';

export interface PhoneDeps extends IncidentDeps {
  channels: Pick<ReturnType<typeof createChannels>, 'phone' | 'baseUrl'>;
  limits: Pick<CallDeps['limits'], 'callers'>;
}

/** A request of the provider of calls: a form, and its signature. */
export interface ProviderCall {
  messageId: string;
  body: Buffer;
  signature: string;
  remoteAddress: string;
}

type Call = NonNullable<Awaited<ReturnType<typeof phoneCalls.read>>>;

const ACKNOWLEDGE = '4';
const ESCALATE = '6';
const PROMPT = `Press ${ACKNOWLEDGE} to acknowledge, ${ESCALATE} to escalate, or another key to repeat.`;
/** The call ends where no key is pressed for so long. */
const WAIT_SECONDS = 8;

/**
 * Returns the text of a call as TwiML: twice what happened, or what became of the key that was pressed.
 * @throws Fault invalid_token, rate_limited
 */
export async function takeCall(deps: PhoneDeps, request: ProviderCall, via: Via): Promise<string> {
  const url = `${deps.channels.baseUrl}${CALL_PATH}/${request.messageId}`;
  const { form, call } = await requireCall(deps, request, url);
  const digits = form.get('Digits');
  if (digits !== ACKNOWLEDGE && digits !== ESCALATE) return repeating(deps, call, url);
  const answer = await press(deps, call, digits, { ...via, channel: 'chat', client: 'a call' });
  return twiml(`${speech(answer)}<Hangup/>`);
}

/** Records how a call ended. @throws Fault invalid_token, rate_limited */
export async function takeCallEnd(deps: PhoneDeps, request: ProviderCall): Promise<void> {
  const url = `${deps.channels.baseUrl}${CALL_PATH}/${request.messageId}/status`;
  const { form } = await requireCall(deps, request, url);
  await phoneCalls.recordEnd(deps, request.messageId, form.get('CallStatus') ?? '');
}

async function requireCall(
  deps: PhoneDeps,
  { messageId, body, signature, remoteAddress }: ProviderCall,
  url: string,
): Promise<{ form: URLSearchParams; call: Call }> {
  await deps.limits.callers.take(remoteAddress);
  const form = new URLSearchParams(body.toString());
  const isGenuine = deps.channels.phone.isGenuine(url, form, signature);
  const call = isGenuine && isUuid(messageId) ? await phoneCalls.read(deps, messageId) : undefined;
  if (!call)
    throw new Fault('invalid_token', 'The request is not signed by the provider of calls, or the call is over.');
  return { form, call };
}

/** @returns a sentence about what became of it */
async function press(deps: PhoneDeps, call: Call, digit: string, via: Via): Promise<string> {
  const { workspaceId, phoneNumber, incidentIds } = call;
  const found = await deps.db.read((tx) => phoneMemberStore.find(workspaceId, tx, phoneNumber));
  if (!found)
    return 'Nothing was changed: this number is in the preferences of no member of the workspace. Acknowledge in Watchpost.';
  const member = { ...found, workspaceId };
  const why = whyNotAllowed(member);
  if (why !== null) return why;
  if (incidentIds.length === 0) return 'This call is about no incident. Nothing is left to do.';
  if (digit === ESCALATE) return escalate(deps, { ...call, userId: member.userId }, via);
  let last = '';
  for (const id of incidentIds) last = await acknowledgeAs(deps, member, id, via);
  return incidentIds.length === 1
    ? last
    : `You acknowledged the ${incidentIds.length} incidents, as far as they are open.`;
}

async function escalate(
  deps: PhoneDeps,
  { workspaceId, incidentIds, userId }: Call & { userId: string },
  via: Via,
): Promise<string> {
  const incidents = await readSomeIncidents(deps, workspaceId, incidentIds);
  const escalated = await deps.db.transaction(async (tx) => {
    const ids = await escalateNow(deps, tx, workspaceId, incidentIds);
    const person = { caller: { userId }, workspace: { workspaceId }, via };
    for (const { id, monitorName } of incidents.filter((one) => ids.has(one.id)))
      await recordAudit(deps, tx, person, {
        workspaceId,
        action: 'incident.escalated',
        target: { id, name: monitorName },
        before: {},
        after: { step: 'next' },
      });
    return ids;
  });
  return escalated.size > 0
    ? 'The next step of the escalation policy is taken now.'
    : 'Nobody is left to page: the incident is over, acknowledged, or no team is paged for it.';
}

function repeating({ channels }: PhoneDeps, { notifications, template }: Call, url: string): string {
  const links = { baseUrl: channels.baseUrl, evidenceUrl: () => undefined };
  const voice = channelOf('voice');
  const { message } = composeForGroup(voice, template, notifications, links);
  const text = speech(`Watchpost. ${voice.render(message, notifications, links).text}`);
  return twiml(
    html`<Gather numDigits="1" timeout="${WAIT_SECONDS}" action="${url}" method="POST">`.text +
      `${text}<Pause length="1"/>${text}${speech(PROMPT)}</Gather>`,
  );
}

const speech = (text: string): string => html`<Say>${text}</Say>`.text;

const twiml = (content: string): string => `<?xml version="1.0" encoding="UTF-8"?><Response>${content}</Response>`;
