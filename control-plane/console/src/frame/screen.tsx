import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { workspace } from '../data/session.js';
import { Age } from '../parts/age.js';

interface ScreenProps {
  /** The h1, and the title of the document unless `documentTitle` is given. */
  title: ComponentChildren;
  documentTitle?: string;
  /** When what is shown was read, ms since the epoch: its age is beside the title. */
  receivedMs?: number;
  /** Beside the title: buttons. */
  actions?: ComponentChildren;
  /** Below the title: a sentence, tabs. */
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** A screen with its heading. Navigation moves focus to the heading. */
export function Screen({ title, documentTitle, receivedMs, actions, lead, children }: ScreenProps) {
  const text = documentTitle ?? (typeof title === 'string' ? title : '');
  const name = workspace.value?.name;
  useEffect(() => {
    document.title = [text, name, 'Watchpost'].filter(Boolean).join(' · ');
  }, [text, name]);
  return (
    <>
      <header class="screen-head">
        <h1 tabIndex={-1}>
          {title} {receivedMs !== undefined && <Age receivedMs={receivedMs} />}
        </h1>
        {actions && <div class="screen-actions">{actions}</div>}
        {lead && <div class="screen-lead">{lead}</div>}
      </header>
      {children}
    </>
  );
}
