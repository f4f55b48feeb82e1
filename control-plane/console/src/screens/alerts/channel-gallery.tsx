import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ChannelView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { pathTo } from '../../data/session.js';
import { Section } from '../../parts/section.js';
import { useFocus } from '../../parts/use-focus.js';
import { ChannelMark } from './channel-mark.js';
import { findChannels, traitsOf } from './group-text.js';
import { useChannels } from './use-channels.js';

const CATEGORIES = [
  ['chat', 'Chats'],
  ['incidents', 'Incident tools'],
  ['push', 'Push messages'],
  ['people', 'Mail and phone'],
  ['other', 'Everything else'],
] as const satisfies readonly (readonly [ChannelView['category'], string])[];

const pathOf = (type: string) => pathTo('/alerts', { channel: 'new', type });

/** All channels, to find one and to begin with it. Enter takes the first that is found. */
export function ChannelGallery() {
  const { route } = useLocation();
  const { all, nameOf } = useChannels();
  const [text, setText] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useFocus(() => search.current?.focus());
  const found = findChannels(all, text);
  return (
    <div class="stack">
      <form
        class="lines gap-2 max-24"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '' && found[0]) route(pathOf(found[0].type));
        }}
      >
        <input
          ref={search}
          class="input"
          type="search"
          placeholder="Slack, PagerDuty, push …"
          aria-label="Find a channel"
          value={text}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </form>
      <p class="unseen" role="status">
        {text.trim() !== '' && `${found.length} found`}
      </p>
      {CATEGORIES.map(([category, title]) => {
        const within = found.filter((channel) => channel.category === category);
        return (
          within.length > 0 && (
            <Section key={category} title={title}>
              <ul class="list lines columns-15 gap-3">
                {within.map((channel) => (
                  <li key={channel.type}>
                    <a class="card channel-tile flex center gap-3" href={pathOf(channel.type)}>
                      <ChannelMark of={channel} />
                      <span class="grow">
                        <strong class="block">{nameOf(channel.type)}</strong>
                        <span class="soft small block">{traitsOf(channel)}</span>
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            </Section>
          )
        );
      })}
      {all.length > 0 && found.length === 0 && (
        <p>
          No channel has that name. <a href={pathOf('apprise')}>Apprise</a> reaches over a hundred other services, and a{' '}
          <a href={pathOf('webhook')}>webhook</a> any program of yours.
        </p>
      )}
    </div>
  );
}
