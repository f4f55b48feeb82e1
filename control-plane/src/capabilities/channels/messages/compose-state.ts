import { cleanLine } from '@watchpost/shared/clean-line';
import type { MessageLinks } from '../sending/channels.js';
import type { AlertMessage, MessageExtra, NotifiedEvent } from './alert-message.js';
import { composeMessage, titleOf } from './compose-message.js';
import { describeChange, nameProblem, toneOfProblem } from './describe-change.js';

/** Composes how an incident is after an event, for the one message about it; its sentences state what happened last. */
export function composeState(event: NotifiedEvent, links: MessageLinks, extra: MessageExtra = {}): AlertMessage {
  const message = composeMessage(event, links, extra);
  const { tone, headline } = stateOf(event);
  const by = event.subject.incident?.acknowledgedByName ?? null;
  return {
    ...message,
    tone,
    title: titleOf(headline, event, extra),
    facts: [...message.facts, ...(by === null ? [] : [{ name: 'Acknowledged by', value: cleanLine(by) }])],
  };
}

/** Composes what answers the message of an incident: what happened, in short. */
export function composeReply(event: NotifiedEvent, links: MessageLinks): AlertMessage {
  return { ...composeMessage(event, { ...links, hasButton: false }), facts: [], links: [] };
}

function stateOf(event: NotifiedEvent): Pick<ReturnType<typeof describeChange>, 'tone' | 'headline'> {
  const { incident } = event.subject;
  if (!incident || incident.isClosed) return describeChange(event);
  if (incident.ended !== null) return { tone: 'good', headline: 'Recovered' };
  const problem = nameProblem(incident);
  return incident.acknowledged
    ? { tone: 'info', headline: `${problem}, acknowledged` }
    : { tone: toneOfProblem(incident), headline: problem };
}
