import type { ChannelView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { type ResourceView, useResource } from '../../data/resources.js';
import { capitalized } from '../../parts/format.js';

export interface Channels {
  read: ResourceView<ChannelView[]>;
  /** Empty until they have arrived. */
  all: readonly ChannelView[];
  of: (type: string) => ChannelView | undefined;
  /** The name of a channel at the beginning of a line. */
  nameOf: (type: string) => string;
}

export function useChannels(): Channels {
  const read = useResource<ChannelView[]>('/api/v1/channels');
  const all = read.data ?? [];
  const of = (type: string) => all.find((channel) => channel.type === type);
  const nameOf = (type: string) => {
    const { title, category } = of(type) ?? { title: type, category: 'other' };
    // The name of a service may begin with a small letter.
    return category === 'people' || category === 'other' ? capitalized(title) : title;
  };
  return { read, all, of, nameOf };
}
