import type { ChannelField } from '@watchpost/control-plane/capabilities/channels/content/field-kinds';
import { channelOf } from '@watchpost/control-plane/capabilities/channels/registry';

/** A body that creates a group of a channel, made of the examples of its fields. */
export function groupBody(type: string): { name: string; [field: string]: unknown } {
  const { title, fields, alternatives = [] } = channelOf(type);
  const [first = [], ...others] = alternatives;
  const given = fields.filter(({ name }) => first.includes(name) || !others.flat().includes(name));
  return { name: title, ...Object.fromEntries(given.map((field) => [field.name, valueOf(field)])) };
}

function valueOf({ kind, example }: ChannelField): unknown {
  if (kind === 'emails') return [example];
  if (kind === 'phones') return [example.replaceAll(' ', '')];
  return kind === 'headers' ? { 'X-Team': 'shop' } : example;
}
