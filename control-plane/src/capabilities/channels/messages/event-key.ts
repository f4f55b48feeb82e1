import type { NotifiedEvent } from './alert-message.js';

/**
 * The key by which services recognise the messages about one incident. An event without an incident has a key of its
 * own, and its alert is closed in the same attempt: nothing later would close it.
 */
export function eventKey({ id, subject }: NotifiedEvent): string {
  return subject.incident?.id ?? id;
}

export function subjectName({ subject, detail }: NotifiedEvent): string {
  return subject.monitor?.name ?? subject.incident?.monitorName ?? locationName(detail) ?? 'Watchpost';
}

/** The name of the private location that an event is about. */
export function locationName({ location }: NotifiedEvent['detail']): string | undefined {
  return (location as { name: string } | undefined)?.name;
}
