import { html } from './html.js';
import { plainPage } from './plain-page.js';

/** What the bare address shows: the ways in, for people who have just started the service or were given its address. */
export function homePage({ version, hasMailbox }: { version: string; hasMailbox: boolean }): string {
  return plainPage(
    'Watchpost',
    html`<h1>Watchpost ${version}</h1>
      <p>Watches websites and, when one is down, notifies people with evidence.</p>
      <ul>
        <li><a href="/swagger">The REST interface</a>, described; <a href="/swagger/v1/swagger.json">as OpenAPI</a></li>
        <li>Assistants connect to /mcp (<a href="/.well-known/mcp.json">how</a>)</li>
        <li>Public status pages are at /status/ and the page’s name</li>
        <li><a href="/health">Health</a></li>
        ${hasMailbox && html`<li><a href="/mailbox">Local mailbox</a>: mail that was to be sent</li>`}
      </ul>`,
  );
}
