import type { ComponentChildren } from 'preact';
import type { ResourceView } from '../data/use-resource.js';
import { FaultNote } from './fault-note.js';
import { Skeleton } from './skeleton.js';

interface RoomProps {
  of: ResourceView<unknown>;
  /** How many rows there will be, and how high each is, in rem. */
  rows?: number;
  height?: number;
  /** In place of the fault where nothing is at this address. */
  missing?: ComponentChildren;
}

/** What was read, once it is there; until then its room, or why it cannot be read. */
export function Loaded<T>(props: RoomProps & { of: ResourceView<T>; children: (data: T) => ComponentChildren }) {
  const { data } = props.of;
  return data === undefined ? <NotLoaded {...props} /> : <>{props.children(data)}</>;
}

/** The room of what is not there yet, or why it cannot be read. */
export function NotLoaded({ of: { fault, reload }, missing, ...room }: RoomProps) {
  if (fault === undefined) return <Skeleton {...room} />;
  // An id that cannot be one is 400.
  if (missing !== undefined && (fault.status === 404 || fault.status === 400)) return <>{missing}</>;
  return <FaultNote fault={fault} onRetry={reload} />;
}
