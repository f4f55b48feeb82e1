export interface StreamEvent {
  event: string;
  data: string;
  id: string | undefined;
}

/**
 * Reads `text/event-stream` (HTML §9.2.6) as it arrives.
 * @returns a function that takes the next text and returns the events that it completes; a new id that comes without an event
 *   is one without a name
 */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = '';
  let event = '';
  let data: string[] = [];
  let id: string | undefined;
  let reportedId: string | undefined;
  return (text) => {
    const events: StreamEvent[] = [];
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n'), id });
        // An id alone is no event, and moves the point from which to resume.
        else if (id !== reportedId) events.push({ event: '', data: '', id });
        reportedId = id;
        event = '';
        data = [];
        continue;
      }
      const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'event') event = value ?? '';
      else if (field === 'data') data.push(value ?? '');
      else if (field === 'id') id = value ?? '';
    }
    return events;
  };
}
