import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './button.js';

const LOOKS = {
  section: 'section',
  plain: '',
  stack: 'stack',
  card: 'card card-body stack',
  part: 'card card-body stack tight',
};

interface SectionProps {
  title: ComponentChildren;
  /** What it is for, in one sentence. */
  lead?: ComponentChildren;
  /** Beside the heading. */
  aside?: ComponentChildren;
  /** `section` is a part of a screen, `stack` one in a grid, `card` a surface, `part` a smaller one. */
  look?: keyof typeof LOOKS;
  class?: string;
  children?: ComponentChildren;
}

export function Section({ title, lead, aside, look = 'section', class: name = '', children }: SectionProps) {
  const id = useId();
  const Heading = look === 'part' ? 'h3' : 'h2';
  return (
    <section class={`${LOOKS[look]} ${name}`} aria-labelledby={id}>
      <header class="section-head">
        <Heading id={id}>{title}</Heading>
        {lead && <p class="section-lead soft">{lead}</p>}
        {aside && <div class="row">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

type Fact = readonly [name: ComponentChildren, value: ComponentChildren, look?: string | false];

/** Names and values; what has no value is left out. `tiles` stand beside each other, `pairs` below each other. */
export function Facts({ facts, look = 'pairs' }: { facts: readonly (Fact | false)[]; look?: string }) {
  return (
    <dl class={`facts facts-${look}`}>
      {facts.map((fact, index) => {
        if (!fact) return null;
        const [name, value, own] = fact;
        if (value === null || value === undefined || value === '' || value === false) return null;
        return (
          <div key={index}>
            <dt>{name}</dt>
            <dd class={own || undefined}>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}

export interface Tab {
  href: string;
  label: ComponentChildren;
  isCurrent: boolean;
  count?: number | undefined;
}

export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <nav class="tabs flex gap-1 line-below" aria-label={label}>
      {tabs.map(({ href, label: text, isCurrent, count }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
          {count !== undefined && <span class="count small tabular">{count}</span>}
        </a>
      ))}
    </nav>
  );
}

/** Words such as tags. With `hrefOf`, each leads to what else has it. */
export function Chips({ values, hrefOf }: { values: readonly string[]; hrefOf?: (value: string) => string }) {
  return (
    <span class="chips">
      {values.map((value) =>
        hrefOf ? (
          <a key={value} class="chip" href={hrefOf(value)}>
            {value}
          </a>
        ) : (
          <span key={value} class="chip">
            {value}
          </span>
        ),
      )}
    </span>
  );
}

/** A panel beside the screen, which stays where it is and goes on. Escape closes it. */
export function SidePanel(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const { title, onClose, children } = props;
  return (
    <section
      class="side-panel lines gap-3 pad-4"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <header class="flex center between gap-4">
        <h2>{title}</h2>
        <Button look="plain" icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </section>
  );
}
