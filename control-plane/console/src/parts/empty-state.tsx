import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

/** What is shown in place of nothing: why it is empty, and the next step. */
export function EmptyState(props: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  const { icon, title, children, action } = props;
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children && <div class="soft">{children}</div>}
      {action && <div class="empty-action">{action}</div>}
    </div>
  );
}
