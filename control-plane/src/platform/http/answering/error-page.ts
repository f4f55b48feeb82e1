import type { Fault } from '@watchpost/shared/fault';
import { html } from '../html.js';
import { answerPage } from '../plain-page.js';
import type { PreparedAnswer } from './prepared-answer.js';

/** An error for somebody who looks at pages: the same sentences, to read. */
export function errorPage(answer: PreparedAnswer, fault: Fault): PreparedAnswer {
  const title = TITLES[answer.status] ?? (answer.status >= 500 ? 'Not right now' : 'That did not work');
  const details = fault.details.map(({ path, message }) => html`<li>${path} ${message}</li>`);
  // Programs read \`details\`; people see the same below.
  const message = fault.code === 'validation_failed' ? 'Go back and put this right:' : fault.message;
  const body = html`<h1>${title}</h1>
    <p>${message}</p>
    ${
      details.length > 0 &&
      html`<ul>
        ${details}
      </ul>`
    }`;
  const page = answerPage(title, body);
  return { ...answer, ...page, headers: { ...answer.headers, ...page.headers } };
}

/** For a path that leads nowhere. It repeats nothing of the request. */
export function unknownPage(): PreparedAnswer {
  const body = html`<h1>${TITLES[404]}</h1>
    <p>There is no page at this address. It may have moved, or the link is incomplete.</p>
    <p><a href="/">To the start page</a></p>`;
  return { status: 404, ...answerPage('Nothing here', body) };
}

const TITLES: Readonly<Record<number, string>> = {
  404: 'Nothing here',
  410: 'No longer valid',
  429: 'A little slower, please',
};
