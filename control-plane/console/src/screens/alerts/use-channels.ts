import type { ChannelView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { useResource } from '../../data/resources.js';
import { capitalized } from '../../parts/format.js';

export interface Channels {
  /** Empty until they have arrived. */
  options: readonly { value: string; label: string }[];
  of: (type: string) => ChannelView | undefined;
  /** The name of a channel at the beginning of a line. */
  nameOf: (type: string) => string;
}

/** The channels that this installation knows. */
export function useChannels(): Channels {
  const list = useResource<ChannelView[]>('/api/v1/channels').data ?? [];
  const of = (type: string) => list.find((channel) => channel.type === type);
  const nameOf = (type: string) => capitalized(of(type)?.title ?? type);
  return { options: list.map(({ type }) => ({ value: type, label: nameOf(type) })), of, nameOf };
}
