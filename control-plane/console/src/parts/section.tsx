import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

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

/** A part of a screen with its heading. */
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
