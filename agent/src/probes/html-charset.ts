import { declaredCharset } from './charset-label.js';

/** The bytes that are searched whatever they contain; beyond them the search ends with the head, as in browsers. */
const ALWAYS_SEARCHED = 1_024;
const HEAD_TAGS = new Set(['html', 'head', 'title', 'base', 'link', 'meta', 'script', 'noscript', 'style', 'template']);
/** Their content is text, in which nothing is a tag. */
const TEXT_TAGS = new Set(['title', 'script', 'style']);
const TAG_NAME = /[a-z][^\s/>]*/iy;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;

/**
 * The charset that a page declares by a `<meta>`: the prescan of the WHATWG HTML standard, §13.2.3.2, which goes on to the
 * end of the head, since browsers read the page again for a later declaration.
 */
export function declaredInHtml(bytes: Buffer): string | null {
  const text = bytes.toString('latin1');
  let isInHead = true;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at)) {
      // `<!-->` is a whole comment.
      const end = text.indexOf('-->', at + 2);
      if (end < 0) return null;
      at = end + 3;
      continue;
    }
    const isEnd = text[at + 1] === '/';
    TAG_NAME.lastIndex = at + (isEnd ? 2 : 1);
    const name = TAG_NAME.exec(text)?.[0].toLowerCase();
    if (name === undefined) {
      if (!/[!/?]/.test(text[at + 1] ?? '')) at++;
      else if ((at = text.indexOf('>', at)) < 0) return null;
      continue;
    }
    isInHead &&= HEAD_TAGS.has(name) && !(isEnd && name === 'head');
    if (!isInHead && at >= ALWAYS_SEARCHED) return null;
    const { attributes, end } = readAttributes(text, TAG_NAME.lastIndex);
    const charset = name === 'meta' && !isEnd ? charsetOfMeta(attributes) : null;
    if (charset !== null) return charset;
    at = end;
    if (!isEnd && TEXT_TAGS.has(name)) at = endOfText(text, name, at);
    if (at < 0) return null;
  }
  return null;
}

/** The attributes of a tag, the first of each name, and where the tag ends. */
function readAttributes(text: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let end = from;
  ATTRIBUTE.lastIndex = from;
  for (let match = ATTRIBUTE.exec(text); match !== null; match = ATTRIBUTE.exec(text)) {
    end = ATTRIBUTE.lastIndex;
    const name = match[1]!.toLowerCase();
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '');
  }
  return { attributes, end };
}

function charsetOfMeta(attributes: ReadonlyMap<string, string>): string | null {
  const named = attributes.get('charset');
  if (named !== undefined) return declaredCharset(named);
  if (attributes.get('http-equiv')?.toLowerCase() !== 'content-type') return null;
  const [, double, single, bare] =
    /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/i.exec(attributes.get('content') ?? '') ?? [];
  return declaredCharset(double ?? single ?? bare);
}

function endOfText(text: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(text)?.index ?? -1;
}
