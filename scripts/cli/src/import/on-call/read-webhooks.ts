import { webhookGroup } from '../webhook-group.js';
import type { Row } from '../rows.js';
import type { SourceGroup, SourceReading } from './source.js';

interface Webhook {
  id: string;
  name: string;
  url: string | null;
  headers: Row | undefined;
  isOff: boolean;
}

/** Webhooks of a product become action groups. @param kind what they are called there */
export function readWebhooks(
  kind: string,
  webhooks: readonly Webhook[],
  { report, secrets }: SourceReading,
): Map<string, SourceGroup> {
  const groups = new Map<string, SourceGroup>();
  for (const { id, name, url, headers = {}, isOff } of webhooks) {
    const group = webhookGroup(url, headers, name, secrets);
    if ('untaken' in group) report.untaken(kind, name, group.untaken);
    else {
      groups.set(id, { name, fields: { ...group.fields, ...(isOff ? { isEnabled: false } : {}) } });
      report.partly(kind, name, group.differences);
    }
  }
  return groups;
}
