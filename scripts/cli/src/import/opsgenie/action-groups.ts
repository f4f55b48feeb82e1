import type { SourceGroup, SourceLists, SourceReading } from '../on-call/source.js';
import { nameFor } from '../names.js';
import { readWebhooks } from '../on-call/read-webhooks.js';
import { idOf, objectOf, type Row, textOf } from '../rows.js';
import { chatOf } from '../webhook-group.js';

/** Its own webhooks, and connections to chats of which the URL is known, become action groups. Others receive alerts, or have an account that only their service knows. */
export function readActionGroups(lists: SourceLists, reading: SourceReading): Map<string, SourceGroup> {
  const isWebhook = (one: Row) => textOf(one, 'type') === 'Webhook' || chatOf(urlOf(one)) !== undefined;
  for (const integration of lists('integrations'))
    if (!isWebhook(integration)) {
      const type = textOf(integration, 'type') ?? 'unknown';
      const way = `connect ${type} anew, or make a monitor of what it watches`;
      reading.report.untaken('integration', nameOf(integration), way);
    }
  const webhooks = lists('integrations')
    .filter(isWebhook)
    .map((one) => ({
      id: idOf(one),
      name: nameOf(one),
      url: urlOf(one),
      headers: objectOf(one, 'headers'),
      isOff: one['enabled'] === false,
    }));
  return readWebhooks('integration', webhooks, reading);
}

const nameOf = (one: Row): string => nameFor(textOf(one, 'name'), 'Integration');
const urlOf = (one: Row): string | null => textOf(one, 'webhookUrl') ?? textOf(one, 'url');
