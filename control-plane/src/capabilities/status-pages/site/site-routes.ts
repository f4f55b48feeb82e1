import { notFound } from '@watchpost/shared/fault';
import { z } from 'zod';
import { type ApiAnswer, type ApiRequest, route, type Route } from '../../../platform/http/route.js';
import { linkQuery } from '../../../platform/http/schemas.js';
import { DATA_POLICY } from '../../../platform/http/security-headers.js';
import { postsOf, publicPageParams, type PublicPageView } from '../public-page-schemas.js';
import { answerPacked, packText, type PackedText } from '../pack-text.js';
import type { MakeForm } from '../built-page.js';
import type { BuildWork } from '../build-work.js';
import type { PublicPages } from '../public-pages.js';
import { readMaintenanceCalendar, readThreadAt } from '../read-public-page.js';
import type { VisitorLimit } from '../visitor-limit.js';
import { ATOM_TYPE, atomFeed } from './atom-feed.js';
import { badge, SVG_TYPE } from './badge.js';
import { CALENDAR_TYPE, maintenanceCalendar } from './maintenance-calendar.js';
import { wholePost } from './post-card.js';
import { frameDocument, type StatusDocument, statusDocument } from './status-document.js';

const HTML_TYPE = 'text/html; charset=utf-8';

/** Addresses that people type, or that lost their case on the way, lead to the page too. */
const pageParams = publicPageParams.extend({ slug: z.string().toLowerCase() });
const MOVED = { 308: { description: 'To the address as it is written: small letters, and no slash at the end' } };

export interface SiteDeps {
  pages: PublicPages;
  limit: VisitorLimit;
  /** Without a slash at the end. */
  baseUrl: string;
}

/** The documents, feeds and badge of a status page. */
export function siteRoutes({ pages, limit, baseUrl }: SiteDeps): Route[] {
  const shared = {
    method: 'get',
    tag: 'Public status pages',
    scopes: 'anonymous',
    role: null,
    query: linkQuery,
    takesSlash: true,
    faults: ['rate_limited', 'unavailable'],
  } as const;
  const send = async (
    { path, params, remoteAddress, headers }: ApiRequest<{ slug: string }, unknown, unknown>,
    form: string,
    make: MakeForm,
  ): Promise<ApiAnswer> => {
    await limit.take(remoteAddress);
    const text = await pages.send(params.slug, form, make);
    const address = path.replace(/^\/status\/[^/]+/, `/status/${params.slug}`).replace(/\/$/, '');
    return path === address ? answerPacked(text, headers['accept-encoding']) : { status: 308, location: address };
  };
  return [
    route({
      ...shared,
      path: '/status/{slug}',
      operationId: 'getStatusSite',
      summary: 'A published status page, to look at',
      params: pageParams,
      produces: ['text/html'],
      answers: { 200: { description: 'The page, complete without scripts' }, ...MOVED },
      handle: (request) =>
        send(request, 'html', async (view, work) =>
          sendDocument(work, await statusDocument(request.params.slug, view, work)),
        ),
    }),
    route({
      ...shared,
      path: '/status/{slug}/posts/{postId}',
      operationId: 'getStatusSitePost',
      summary: 'One post of a published status page, to look at',
      description: 'Posts that go on, and those of the last 30 days where the page shows its history.',
      params: pageParams.extend({ postId: z.string() }),
      produces: ['text/html'],
      answers: {
        200: { description: 'The post with what was added to it: the newest 100 updates, and up to 512 KiB' },
        ...MOVED,
      },
      handle: (request) =>
        send(request, `post ${request.params.postId}`, (view, work) => sendPost(request.params, view, work)),
    }),
    route({
      ...shared,
      path: '/status/{slug}/feed.atom',
      operationId: 'getStatusFeed',
      summary: 'Posts and outages of a published status page as a feed (Atom)',
      params: pageParams,
      produces: ['application/atom+xml'],
      answers: { 200: { description: 'The feed, newest first' }, ...MOVED },
      handle: (request) =>
        send(request, 'atom', async (view, work) => {
          const feed = await atomFeed(baseUrl, request.params.slug, view, work);
          return packText(work, () => feed, ATOM_TYPE, DATA_POLICY);
        }),
    }),
    route({
      ...shared,
      path: '/status/{slug}/maintenance.ics',
      operationId: 'getStatusCalendar',
      summary: 'Maintenance of a published status page as an iCalendar feed',
      description:
        'RFC 5545, one event an occurrence of the maintenance windows that name the page, from 30 days ago to 60 days ahead (the next ' +
        'one in any case), times in UTC. What was moved or skipped is `STATUS:CANCELLED`.',
      params: pageParams,
      produces: ['text/calendar'],
      answers: { 200: { description: 'The calendar' }, ...MOVED },
      handle: (request) =>
        send(request, 'calendar', async (view, work) => {
          const { slug } = request.params;
          const rows = await work.query((tx) => readMaintenanceCalendar(tx, slug, Date.parse(view.updatedAt)));
          return packText(work, () => maintenanceCalendar(baseUrl, slug, view, rows), CALENDAR_TYPE, DATA_POLICY);
        }),
    }),
    route({
      ...shared,
      path: '/status/{slug}/badge.svg',
      operationId: 'getStatusBadge',
      summary: 'The overall status of a published status page as a small picture',
      params: pageParams,
      produces: ['image/svg+xml'],
      answers: { 200: { description: 'The picture' }, ...MOVED },
      async handle(request) {
        const answer = await send(request, 'badge', (view, work) =>
          packText(work, () => badge(view), SVG_TYPE, DATA_POLICY),
        );
        // The badge is embedded in other sites.
        return { ...answer, headers: { ...answer.headers, 'Cross-Origin-Resource-Policy': 'cross-origin' } };
      },
    }),
  ];
}

async function sendPost(
  { slug, postId }: { slug: string; postId: string },
  view: PublicPageView,
  work: BuildWork,
): Promise<PackedText> {
  const post = postsOf(view).find(({ id }) => id === postId);
  if (!post) throw notFound('post');
  const thread = await work.query((tx) => readThreadAt(tx, slug, postId));
  const content = await wholePost(view, { ...post, ...thread }, work);
  const title = `${post.title} · ${view.name}`;
  const document = await work.slice(() => frameDocument({ slug, page: view, title, content, isLive: false }));
  return sendDocument(work, document);
}

function sendDocument(work: BuildWork, { html, policy }: StatusDocument): Promise<PackedText> {
  return packText(work, () => html, HTML_TYPE, policy);
}
