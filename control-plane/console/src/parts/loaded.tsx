import type { ComponentChildren } from 'preact';
import type { ResourceView } from '../data/resources.js';
import { useEffect, useState, useRef } from 'preact/hooks';
import type { ApiFault } from '../data/api-fault.js';
import { pathTo, workspaceId, hasRole } from '../data/session.js';
import { Icon, type IconName, Button } from './button.js';

export interface RoomProps {
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
  // The strip has the sentence about a lost connection, once for the screen.
  if (fault === undefined || fault.code === 'connection_lost') return <Skeleton {...room} />;
  // An id that cannot be one is 400.
  if (missing !== undefined && (fault.status === 404 || fault.status === 400)) return <>{missing}</>;
  return <FaultNote fault={fault} onRetry={reload} />;
}

/** Why an action has to wait for what it needs; nothing while that is on its way. */
export function Unread({ needs }: { needs: readonly ResourceView<unknown>[] }) {
  const failed = needs.find(({ data, fault }) => data === undefined && fault !== undefined);
  return failed && <NotLoaded of={failed} />;
}

const DELAY_MS = 150;

/** Keeps the room of what loads, as many rows as will be there, and shows itself only where the answer takes long. */
export function Skeleton({ rows = 3, height = 2.75 }: { rows?: number; height?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isShown ? 'skeleton lines clip is-shown' : 'skeleton lines clip'} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton-row" style={{ height: `${height}rem` }} />
      ))}
    </div>
  );
}

/** Why something failed, with all that the API names, and what leads on. */
export function FaultNote({ fault, onRetry }: { fault: ApiFault; onRetry?: () => void }) {
  const isPlan = fault.code === 'plan_limit_exceeded' || fault.code === 'feature_not_in_plan';
  // A fault of one field has the same sentence twice.
  const details = fault.details.filter(({ message }) => message !== fault.message);
  return (
    <div class="note note-unavailable" role="alert">
      <p>{fault.message}</p>
      {details.length > 0 && (
        <ul>
          {details.map(({ path, message }) => (
            <li key={path + message}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {fault.requestId && fault.status >= 500 && (
        <p class="soft">
          Request <code>{fault.requestId}</code>
        </p>
      )}
      {isPlan && workspaceId.value !== '' && (
        <p>
          <a href={pathTo('/settings/plan')}>See what each plan has</a>
        </p>
      )}
      {onRetry && (
        <button type="button" class="btn" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows in place of an empty list why it is empty, and the next step. */
export function EmptyState(props: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  const { icon, title, children, action } = props;
  return (
    <div class="empty lines gap-2">
      <span class="empty-icon lines soft">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children && <div class="soft">{children}</div>}
      {action && <div class="above-3">{action}</div>}
    </div>
  );
}

interface NothingProps {
  /** The address of the whole list. */
  all: string;
  /** Why there is nothing, as a sentence. */
  children: ComponentChildren;
}

/** No row of a list has what its filter asks for. */
export function NoMatch({ all, children }: NothingProps) {
  return (
    <EmptyState icon="search" title="Nothing matches" action={<Button text="Show all" href={all} />}>
      {children}
    </EmptyState>
  );
}

/** The address names something that does not exist. */
export function NoSuch({ kind, all, children }: NothingProps & { kind: string }) {
  return (
    <EmptyState icon="search" title={`There is no such ${kind}`} action={<Button text={`All ${kind}s`} href={all} />}>
      {children}
    </EmptyState>
  );
}

/** Draws its content once it is about to be scrolled to, so that what nobody looks at is not read. */
export function WhenSeen({ rows, children }: { rows: number; children: () => ComponentChildren }) {
  const [isSeen, setSeen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSeen) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry!.isIntersecting) setSeen(true);
      },
      { rootMargin: '300px' },
    );
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, [isSeen]);
  return isSeen ? (
    children()
  ) : (
    <div ref={frame}>
      <Skeleton rows={rows} />
    </div>
  );
}

/** Leads to a new monitor. @returns false for those who may not make one */
export function newMonitorLink(look?: 'primary') {
  return (
    hasRole('Editor') && (
      <Button text="New monitor" href={pathTo('/monitors/new')} icon="plus" {...(look && { look })} />
    )
  );
}
