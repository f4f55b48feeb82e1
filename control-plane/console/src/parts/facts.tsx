import type { ComponentChildren } from 'preact';

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
