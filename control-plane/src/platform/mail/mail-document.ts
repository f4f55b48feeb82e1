import { escapeHtml } from '../http/html.js';

/** Returns an HTML document that every mail program can display. @param body HTML */
export function mailDocument(title: string, body: string): string {
  return (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
    `<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head>\n` +
    '<body style="font:14px/1.5 system-ui,sans-serif;color:#1d2939;max-width:640px;margin:0 auto;padding:24px">\n' +
    `${body}\n</body></html>\n`
  );
}
