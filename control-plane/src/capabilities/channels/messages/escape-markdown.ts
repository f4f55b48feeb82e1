/** Escapes what CommonMark obeys, so that text of users becomes no link, heading or formatting. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>|~]/g, '\\$&');
}
