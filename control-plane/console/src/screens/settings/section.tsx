import type { ComponentChildren } from 'preact';

interface ActionProps {
  title: string;
  children: ComponentChildren;
  /** Its button. */
  action: ComponentChildren;
}

/** Something that others notice, with its button. */
export function Action({ title, children, action }: ActionProps) {
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
