import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  title: string;
  /** What it is for, in one sentence. */
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of the settings with its heading. */
export function Section({ title, lead, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section class="settings-section" aria-labelledby={id}>
      <header class="settings-head">
        <div>
          <h2 id={id}>{title}</h2>
          {lead && <p class="soft">{lead}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** Something that others notice, with its button. */
export function Action({
  title,
  children,
  action,
}: {
  title: string;
  children: ComponentChildren;
  action: ComponentChildren;
}) {
  return (
    <div class="settings-action">
      <div>
        <h3>{title}</h3>
        <p class="soft">{children}</p>
      </div>
      {action}
    </div>
  );
}

/** Names and values that cannot be changed here. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="settings-facts card card-body">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
