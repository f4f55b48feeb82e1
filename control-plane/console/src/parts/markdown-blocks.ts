/** Text with its emphasis, code and links; every link leads to http or https. */
export type Inline =
  | string
  | { kind: 'strong' | 'em' | 'code'; content: Inline[] }
  | { kind: 'link'; href: string; content: Inline[] };

export type Block =
  | { kind: 'paragraph' | 'heading' | 'quote'; lines: Inline[][] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string };

const INLINE =
  /`([^`\n]+)`|\*\*([^\n]+?)\*\*|\*([^*\s][^*\n]*)\*|\[([^[\]\n]+)\]\((https?:\/\/[^\s()<>"]+)\)|(https?:\/\/[^\s()<>"]*[^\s()<>".,;:!?])/g;
const MARKS: readonly [Block['kind'], RegExp][] = [
  ['heading', /^#{1,6} +/],
  ['quote', /^> ?/],
  ['list', /^(?:[-*+]|(\d{1,9})[.)]) +/],
];

/** Reads the Markdown that people write in notes: paragraphs, headings, lists, quotes, code and links. HTML in it is text. */
export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split(/\r\n?|\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith('```')) {
      const start = at + 1;
      do at++;
      while (at < lines.length && !/^```\s*$/.test(lines[at]!));
      blocks.push({ kind: 'code', text: lines.slice(start, at).join('\n') });
      continue;
    }
    if (line.trim() === '') continue;
    const last = lines[at - 1]?.trim() === '' ? undefined : blocks.at(-1);
    const [kind, mark] = MARKS.find(([, each]) => each.test(line)) ?? ['paragraph' as const, /^/];
    const content = parseInline(line.replace(mark, '').trim());
    if (kind === 'list') {
      const isOrdered = mark.exec(line)?.[1] !== undefined;
      if (last?.kind === 'list' && last.isOrdered === isOrdered) last.items.push(content);
      else blocks.push({ kind, isOrdered, items: [content] });
    } else if (kind !== 'code') {
      if (last?.kind === kind && kind !== 'heading') last.lines.push(content);
      else blocks.push({ kind, lines: [content] });
    }
  }
  return blocks;
}

function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, em, label, href, bare] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (code !== undefined) parts.push({ kind: 'code', content: [code] });
    else if (strong !== undefined) parts.push({ kind: 'strong', content: parseInline(strong) });
    else if (em !== undefined) parts.push({ kind: 'em', content: parseInline(em) });
    else if (href !== undefined) parts.push({ kind: 'link', href, content: [label!] });
    else parts.push({ kind: 'link', href: bare!, content: [bare!] });
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
