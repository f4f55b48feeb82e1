import { useState } from 'preact/hooks';
import type { MessagePreview } from '@watchpost/control-plane/capabilities/channels/samples/message-preview-schemas';
import type { ResourceView } from '../../data/resources.js';
import { CopyButton } from '../../parts/button.js';
import { Choice } from '../../parts/inputs.js';
import { Facts } from '../../parts/section.js';
import { Loaded } from '../../parts/loaded.js';
import { eventText } from './group-text.js';

/** Characters of one SMS, and of each part of a longer one, in the GSM 7-bit alphabet. */
const SMS_LENGTH = 160;
const SMS_PART_LENGTH = 153;

/** What arrives by a channel: the message of each type of event, as a sample. */
export function ChannelMessages({ read }: { read: ResourceView<MessagePreview[]> }) {
  const [type, setType] = useState<MessagePreview['type']>('incident.opened');
  return (
    <section>
      <div class="section-head">
        <h3>Message preview</h3>
        <Choice
          class="auto"
          label="Event"
          options={(read.data ?? []).map((message) => ({ value: message.type, label: eventText(message.type) }))}
          value={type}
          onChange={(next) => setType(next as MessagePreview['type'])}
        />
      </div>
      <Loaded of={read} rows={4}>
        {(messages) => {
          const message = messages.find((one) => one.type === type);
          return message ? <Message message={message} /> : null;
        }}
      </Loaded>
    </section>
  );
}

export function Message({ message }: { message: MessagePreview }) {
  const { channel, text, body } = message;
  const raw = text ?? JSON.stringify(body, null, 2);
  const card = !['webhook', 'sms', 'voice'].includes(channel) && <Card message={message} />;
  return (
    <div class="stack alerts-message gap-3 max-44">
      {card || <Raw text={raw} />}
      {channel === 'sms' && <p class="soft small">{smsLengthText(raw)}</p>}
      {card && (
        <details>
          <summary>{channel === 'email' ? 'As plain text' : 'The request'}</summary>
          <Raw text={raw} />
        </details>
      )}
      <p class="soft small">Sample message. Nothing is sent.</p>
    </div>
  );
}

function Raw({ text }: { text: string }) {
  return (
    <div class="stack gap-2">
      <pre class="flush sunken pad-3 pre">{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}

const EDGES = { bad: 'unavailable', warning: 'partial', good: 'available', info: 'none' } as const;

/** A message as people see it in a mailbox or a chat. Its links open nothing. */
function Card({ message: { tone, title, sentences, facts, links } }: { message: MessagePreview }) {
  return (
    <article class={`card alerts-card lines gap-3 pad-4 edge-${EDGES[tone]}`}>
      <h4>{title}</h4>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <Facts facts={facts.map(({ name, value }) => [name, value])} />
      {links.length > 0 && (
        <p class="row">
          {links.map(({ label }) => (
            <span key={label} class="chip">
              {label}
            </span>
          ))}
        </p>
      )}
    </article>
  );
}

function smsLengthText(text: string): string {
  const parts = text.length <= SMS_LENGTH ? 1 : Math.ceil(text.length / SMS_PART_LENGTH);
  return `${text.length} characters, ${parts === 1 ? 'one SMS' : `billed as ${parts} SMS`}.`;
}
