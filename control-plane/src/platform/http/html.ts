/** HTML that is safe to send: made by `html`, or by a trusted library. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[] | null | undefined | false;

/** A template whose values are escaped unless they are `Html` themselves. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(strings.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

function textOf(value: Part): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if (!value) return '';
  return value instanceof Html ? value.text : value.map((part) => part.text).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}
