/** HTML that is safe to send: made by `html`, or by a trusted library. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[] | null | undefined | false;

/**
 * A template whose values are escaped unless they are `Html` themselves. Line breaks and indentation of the template become
 * one space. Those of its values are kept: in `pre` they are content.
 */
export function html(template: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(withoutIndent(template).reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

/** The text of a document in English. @param head what follows the encoding and the viewport */
export function htmlDocument(head: Html, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`.text;
}

const unindented = new WeakMap<TemplateStringsArray, readonly string[]>();

function withoutIndent(template: TemplateStringsArray): readonly string[] {
  let parts = unindented.get(template);
  if (!parts) {
    parts = template.map((part) => part.replace(/\n\s*/g, ' '));
    unindented.set(template, parts);
  }
  return parts;
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
