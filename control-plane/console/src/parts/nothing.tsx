import type { ComponentChildren } from 'preact';
import { ButtonLink } from './button.js';
import { EmptyState } from './empty-state.js';

interface NothingProps {
  /** The address of the whole list. */
  all: string;
  /** Why there is nothing, as a sentence. */
  children: ComponentChildren;
}

/** No row of a list has what its filter asks for. */
export function NoMatch({ all, children }: NothingProps) {
  return (
    <EmptyState icon="search" title="Nothing matches" action={<ButtonLink href={all}>Show all</ButtonLink>}>
      {children}
    </EmptyState>
  );
}

/** The address names something that does not exist. */
export function NoSuch({ kind, all, children }: NothingProps & { kind: string }) {
  return (
    <EmptyState
      icon="search"
      title={`There is no such ${kind}`}
      action={<ButtonLink href={all}>{`All ${kind}s`}</ButtonLink>}
    >
      {children}
    </EmptyState>
  );
}
