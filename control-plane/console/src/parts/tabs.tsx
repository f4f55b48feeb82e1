import type { ComponentChildren } from 'preact';

export interface Tab {
  href: string;
  label: ComponentChildren;
  isCurrent: boolean;
  count?: number | undefined;
}

/** Parts of a screen, each with an address. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, label: text, isCurrent, count }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
          {count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
