import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import type { ComponentChildren } from 'preact';
import { CopyButton } from '../../parts/button.js';
import { numberText } from '../../parts/format.js';
import { Section } from '../../parts/section.js';

export function PageShare({ page, subscribers }: { page: StatusPageView; subscribers: number | undefined }) {
  const address = `${location.origin}/status/${page.slug}`;
  const badge = `${address}/badge.svg`;
  const alt = `Status of ${page.name}`;
  return (
    <div class="fit-26 lines gap-4">
      {!page.isPublished && (
        <p class="note note-partial across">None of these addresses is found before the page is published.</p>
      )}
      <Section look="card" title="Subscribers">
        <p class="text-xl strong dense num">{subscribers === undefined ? '–' : numberText(subscribers)}</p>
        <p class="soft">
          People who asked on the page to get its news by email, and confirmed it. They get posts
          {page.notifyIncidents ? ' and outages.' : '; outages too, if you switch that on in its settings.'}
        </p>
      </Section>
      <Snippet title="Address" text={address}>
        For your site, your support and your social media.
      </Snippet>
      <Snippet title="Feed" text={`${address}/feed.atom`}>
        Posts and outages for feed readers and chats (Atom).
      </Snippet>
      <Snippet
        title="Badge in Markdown"
        text={`[![${alt.replace(/[[\]\\]/g, String.raw`\$&`)}](${badge})](${address})`}
      >
        For a README.
      </Snippet>
      <Snippet title="Badge in HTML" text={`<a href="${address}"><img src="${badge}" alt="${inAttribute(alt)}"></a>`}>
        {page.isPublished ? (
          <img src={`/status/${page.slug}/badge.svg`} alt={alt} height={20} />
        ) : (
          'For the foot of your site.'
        )}
      </Snippet>
      <Snippet title="As data" text={`${location.origin}/api/v1/public/status-page/${page.slug}`}>
        What visitors see as JSON, without a key.
      </Snippet>
    </div>
  );
}

function inAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function Snippet({ title, text, children }: { title: string; text: string; children: ComponentChildren }) {
  return (
    <Section look="card" title={title} lead={children} aside={<CopyButton text={text} />}>
      <pre class="mono text-s sunken pad-3 pre">{text}</pre>
    </Section>
  );
}
