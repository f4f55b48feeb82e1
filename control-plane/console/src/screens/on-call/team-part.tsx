import type { ComponentChildren } from 'preact';

/** A part of a team, with a heading. */
export function TeamPart(props: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, lead, actions, children } = props;
  return (
    <section class="card card-body oncall-part">
      <div class="oncall-part-head">
        <h3>{title}</h3>
        {actions}
      </div>
      {lead && <p class="soft small">{lead}</p>}
      {children}
    </section>
  );
}
