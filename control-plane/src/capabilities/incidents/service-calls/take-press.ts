import type { Via } from '../../../platform/identity/caller.js';
import { channelOf, type createChannels } from '../../channels/index.js';
import { type CalledGroup, findLinkedMember } from '../../recipients/index.js';
import type { IncidentDeps } from '../read-incidents.js';
import { acknowledgeAs } from './acknowledge-as.js';
import { answerCallOnce, type CallDeps, type IncomingCall, requireCalledGroup } from './answer-call.js';

export interface PressDeps extends CallDeps, IncidentDeps {
  db: IncidentDeps['db'];
  channels: ReturnType<typeof createChannels>;
  /** Without a slash at the end. */
  baseUrl: string;
}

/** A chat waits three seconds for its answer: what the person reads is not waited for longer than this. */
const SHOW_MS = 1_500;

/**
 * Takes a call of a chat. A press of the button acknowledges as the member who has linked the account, and the person
 * alone sees what became of it.
 * @returns the answer, as the chat wants it
 * @throws Fault invalid_token, rate_limited
 */
export async function takePress(deps: PressDeps, call: IncomingCall, via: Via): Promise<object> {
  const group = await requireCalledGroup(deps, 'presses', call);
  const reading = channelOf(group.type).presses!.read(call.body);
  if (!reading.press) return reading.answer;
  const { press, show } = reading;
  return answerCallOnce(deps, group, call.body, async () => {
    const sentence = await acknowledge(deps, group, press, via);
    return show(sentence, { ...deps.channels, tryMs: SHOW_MS }, deps.clock.now());
  });
}

/** @returns what became of the press, as a sentence */
async function acknowledge(
  deps: PressDeps,
  { workspaceId, type }: CalledGroup,
  { accountId, incidentId }: { accountId: string; incidentId: string },
  via: Via,
): Promise<string> {
  const member = await findLinkedMember(deps, workspaceId, { type, accountId });
  const { title } = channelOf(type);
  if (!member)
    return `Nothing was changed: this ${title} account (${accountId}) is linked to no member of the workspace. Link it here: ${deps.baseUrl}/console/w/${workspaceId}/settings/notifications`;
  return acknowledgeAs(deps, { ...member, workspaceId }, incidentId, { ...via, channel: 'chat', client: title });
}
