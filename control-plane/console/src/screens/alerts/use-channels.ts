import type { ChannelView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { useResource } from '../../data/use-resource.js';
import { capitalized } from '../../parts/format.js';

export interface Channels {
  /** Empty until they have arrived. */
  list: readonly ChannelView[];
  of: (type: string) => ChannelView | undefined;
  /** The name of a channel at the beginning of a line. */
  nameOf: (type: string) => string;
}

/** The channels that this installation knows. */
export function useChannels(): Channels {
  const list = useResource<ChannelView[]>('/api/v1/channels').data ?? [];
  const of = (type: string) => list.find((channel) => channel.type === type);
  return { list, of, nameOf: (type) => capitalized(of(type)?.title ?? type) };
}
