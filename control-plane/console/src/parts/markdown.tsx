import type { ComponentChildren } from 'preact';
import { type Inline, parseMarkdown } from './markdown-blocks.js';

/** Markdown as elements: no HTML of its author gets into the page. */
export function Markdown({ text }: { text: string }) {
  return (
    <div class="markdown lines gap-2">
      {parseMarkdown(text).map((block, index) => {
        if (block.kind === 'code') return <pre key={index}>{block.text}</pre>;
        if (block.kind === 'list') {
          const items = block.items.map((item, at) => <li key={at}>{shown(item)}</li>);
          return block.isOrdered ? <ol key={index}>{items}</ol> : <ul key={index}>{items}</ul>;
        }
        const lines = block.lines.flatMap((line, at) => (at === 0 ? [shown(line)] : [<br key={at} />, shown(line)]));
        if (block.kind === 'quote') return <blockquote key={index}>{lines}</blockquote>;
        return <p key={index}>{block.kind === 'heading' ? <strong>{lines}</strong> : lines}</p>;
      })}
    </div>
  );
}

function shown(inlines: readonly Inline[]): ComponentChildren {
  return inlines.map((one, index) => {
    if (typeof one === 'string') return one;
    if (one.kind !== 'link') return <one.kind key={index}>{shown(one.content)}</one.kind>;
    return (
      <a key={index} href={one.href} rel="noopener noreferrer nofollow" target="_blank">
        {shown(one.content)}
      </a>
    );
  });
}
