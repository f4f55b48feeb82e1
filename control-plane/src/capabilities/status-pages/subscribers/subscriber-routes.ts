import { invalidField } from '@watchpost/shared/fault';
import { z } from 'zod';
import { type Html, html } from '../../../platform/http/html.js';
import { answerPage } from '../../../platform/http/plain-page.js';
import { type ApiAnswer, route, type Route } from '../../../platform/http/route.js';
import type { VisitorLimit } from '../visitor-limit.js';
import { publicPageParams } from '../public-page-schemas.js';
import { parseEmailAddress } from './email-address.js';
import {
  confirmSubscription,
  readConfirmation,
  readSubscription,
  subscribe,
  type SubscriberDeps,
  unsubscribe,
} from './subscribe.js';
import { subscribersPath } from './subscription-links.js';

export interface SubscriberRouteDeps extends SubscriberDeps {
  /** Limits requests that cause mail, by remote address. */
  limit: VisitorLimit;
}

const tokenQuery = z.looseObject({ token: z.string().min(1).max(500) });
const answerSchema = z.strictObject({ message: z.string() }).meta({ id: 'SubscriptionAnswer' });
const ASKED =
  'A mail with a link to confirm the subscription is on its way, where this address can be written to. The link works for 48 hours.';
const GONE = 'You get no more mail from this status page.';

/** Subscribing to and unsubscribing from a status page. Each link answers browsers with a document and programs with JSON. */
export function subscriberRoutes(deps: SubscriberRouteDeps): Route[] {
  const path = subscribersPath('{slug}');
  const shared = {
    tag: 'Public status pages',
    scopes: 'anonymous',
    role: null,
    params: publicPageParams,
    produces: ['text/html'],
  } as const;
  return [
    route({
      ...shared,
      method: 'post',
      path,
      operationId: 'subscribeToStatusPage',
      audits: { none: 'a visitor of a status page is not a member of the workspace' },
      summary: 'Ask for news of a status page by email',
      description:
        'The answer is the same for every well-formed address. Nothing is sent before the link in the first mail is followed.',
      body: z
        .strictObject({ email: z.string().max(500).meta({ example: 'visitor@example.com' }) })
        .meta({ id: 'StatusPageSubscribe' }),
      forms: true,
      answers: { 202: { description: 'Asked', schema: answerSchema } },
      faults: ['rate_limited'],
      async handle({ params, body, remoteAddress, wantsPage }) {
        const address = parseEmailAddress(body.email);
        if (!address) throw invalidField('email', 'must be an email address');
        await deps.limit.take(remoteAddress);
        await subscribe(deps, params.slug, address);
        const back = html`<p><a href="/status/${params.slug}">Back to the status page</a></p>`;
        return answer(wantsPage, 202, 'Look into your mailbox', ASKED, back);
      },
    }),
    route({
      ...shared,
      method: 'get',
      path: `${path}/confirm`,
      operationId: 'readConfirmation',
      summary: 'What a confirmation link would confirm; it confirms nothing, since mail scanners follow links',
      description: 'A browser gets a page with a button. `POST` to the same address confirms.',
      query: tokenQuery,
      answers: { 200: { description: 'The page with a button that confirms', schema: answerSchema } },
      async handle({ params, query, wantsPage }) {
        const page = await readConfirmation(deps, params.slug, query.token);
        const button = postButton(params.slug, 'confirm', query.token, 'Confirm the subscription');
        const message = `You asked for news of ${page.name} by email.`;
        return answer(wantsPage, 200, 'Confirm your subscription', message, button, 'POST here confirms that.');
      },
    }),
    route({
      ...shared,
      method: 'post',
      path: `${path}/confirm`,
      operationId: 'confirmSubscription',
      audits: { none: 'a visitor of a status page is not a member of the workspace' },
      summary: 'Confirm a subscription with the token from the mail',
      query: tokenQuery,
      answers: { 200: { description: 'Confirmed; each link works once', schema: answerSchema } },
      async handle({ params, query, wantsPage }) {
        const page = await confirmSubscription(deps, params.slug, query.token);
        const back = html`<p><a href="/status/${page.slug}">To the status page</a></p>`;
        return answer(wantsPage, 200, 'Confirmed', `You now hear of news of ${page.name} by email.`, back);
      },
    }),
    route({
      ...shared,
      method: 'get',
      path: `${path}/unsubscribe`,
      operationId: 'askToUnsubscribe',
      summary: 'What a link to unsubscribe would end; it ends nothing, since mail scanners follow links',
      query: tokenQuery,
      answers: { 200: { description: 'The page with a button that ends it', schema: answerSchema } },
      async handle({ params, query, wantsPage }) {
        const page = await readSubscription(deps, params.slug, query.token);
        if (!page) return answer(wantsPage, 200, 'Unsubscribed', GONE, null);
        const button = postButton(params.slug, 'unsubscribe', query.token, 'Unsubscribe');
        return answer(
          wantsPage,
          200,
          'Unsubscribe?',
          `You get news of ${page.name} by email.`,
          button,
          'POST here ends that.',
        );
      },
    }),
    route({
      ...shared,
      method: 'post',
      path: `${path}/unsubscribe`,
      operationId: 'unsubscribe',
      audits: { none: 'a visitor of a status page is not a member of the workspace' },
      summary: 'End a subscription, in one step (RFC 8058)',
      query: tokenQuery,
      answers: { 200: { description: 'Ended, now or before', schema: answerSchema } },
      async handle({ params, query, wantsPage }) {
        await unsubscribe(deps, params.slug, query.token);
        return answer(wantsPage, 200, 'Unsubscribed', GONE, null);
      },
    }),
  ];
}

function postButton(slug: string, verb: 'confirm' | 'unsubscribe', token: string, label: string): Html {
  return html`<form method="post" action="${subscribersPath(slug)}/${verb}?token=${encodeURIComponent(token)}">
    <div class="row"><button>${label}</button></div>
  </form>`;
}

function answer(
  wantsPage: boolean,
  status: number,
  title: string,
  message: string,
  more: Html | null,
  /** Added to the message in JSON, where the document has a button. */
  hint?: string,
): ApiAnswer {
  if (!wantsPage) return { status, body: { message: hint === undefined ? message : `${message} ${hint}` } };
  const page = answerPage(
    title,
    html`<h1>${title}</h1>
      <p>${message}</p>
      ${more}`,
  );
  return { status, ...page };
}
