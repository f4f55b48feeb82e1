import { expect } from 'chai';
import fc from 'fast-check';
import { cleanLine } from '@watchpost/shared/clean-line';
import { newId } from '@watchpost/shared/id';
import {
  channelOf,
  createChannels,
  type Notification,
  sendMessage,
} from '@watchpost/control-plane/capabilities/channels/index';
import { emptyContent } from '@watchpost/control-plane/capabilities/group-settings/content/decide-group-content';
import {
  SAMPLE_ID,
  SAMPLE_MONITOR,
  sampleEvents,
} from '@watchpost/control-plane/capabilities/channels/samples/sample-events';
import type { SendOutcome } from '@watchpost/control-plane/platform/mail/send-outcome';
import { CHANNEL_SERVICES, type StandIn, startStandIn } from '../../support/channel-services/stand-in.js';

const BASE_URL = 'https://watchpost.example';
const NOW = Date.UTC(2026, 10, 21, 12);
const RUNS = 60;
/** So much of a name is in every message, however short its title must be. */
const SHOWN = 15;

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        ...['@everyone', '<@&1>', '<!channel>', '@room', '#general', ':tada:', '/stop', '~town', '$$x$$'],
        ...['[x](https://evil.example)', '<https://evil.example|x>', 'https://evil.example/a?b=c', 'evil.example'],
        ...['<b>', '</p>', '&lt;', '&', '**', '__', '~~', '`', '```', '||', '\\', '# ', '> ', '- ', '1. ', '](', '!['],
        ...['\n', '\r\n', '\u202e', '\u2066', '\u2060', '👩‍👩‍👧‍👦', '⚠️', 'شركة', '+15005550006', 'a@b.example'],
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join(' ')),
);
type Subject = typeof subject extends fc.Arbitrary<infer One> ? One : never;
const subject = fc.record({
  name: hostile,
  workspaceName: hostile,
  reason: hostile,
  type: fc.nat({ max: 6 }),
  acknowledges: fc.boolean(),
});

/** What templates write of the name of a monitor: more than any message holds, halves of characters, and what services obey. */
const TEMPLATES: Readonly<Record<string, string>> = {
  'much more than fits': `{{ monitor.name }}\n{% for i in (1..150) %}{{ i }} ${'👩‍👩‍👧‍👦'.repeat(35)}\n{% endfor %}`,
  'characters that a cut divides': `x{{ monitor.name }}${'🙂'.repeat(2_000)}\nx${'🙂'.repeat(1_900)}`,
  'halves of characters':
    '{{ "🙂" | slice: 0, 1 }}{{ monitor.name }}{{ "🙂" | slice: 1, 1 }}\n{{ "🙂🙂" | truncate: 3, "" }}',
  'markup alone': '{{ monitor.name }} <@&1> @everyone\n[x](https://evil.example) <b>{{ monitor.name | escape }}',
  'one line without end': `{{ monitor.name }}${'x'.repeat(8_000)}`,
};
const MOST_IN_DIGEST = 200;

describe('Whatever people wrote, the message', () => {
  for (const type of Object.keys(CHANNEL_SERVICES) as (keyof typeof CHANNEL_SERVICES)[])
    describe(`to ${type}`, () => {
      let standIn: StandIn;
      let send: (notifications: readonly [Notification, ...Notification[]], template?: string) => Promise<SendOutcome>;
      before(async () => {
        standIn = await startStandIn(type);
        const { service, receiver } = standIn;
        const channels = createChannels({
          settings: {
            ...{ smtpUrl: null, mailFrom: '', twilio: null, webhookAllowCidrs: ['127.0.0.0/8'] },
            serviceUrls: service.variable === undefined ? {} : { [service.variable]: receiver.url },
          },
          mailerWithoutServer: { send: () => Promise.reject(new Error('there is no mail')) },
          baseUrl: BASE_URL,
        });
        const destination = {
          ...{ channel: type, address: '', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] },
          fields: { ...emptyContent(channelOf(type).fields).settings, ...service.group(receiver.url) },
        };
        send = (notifications, template) =>
          sendMessage(
            channels,
            () => Promise.resolve(`${BASE_URL}/incident/abc_def-*x*`),
            {
              destination: { ...destination, ...(template !== undefined && { template }) },
              id: newId(NOW),
              notifications,
            },
            NOW,
          );
      });
      after(() => standIn.receiver.stop());

      /** @returns what people see */
      async function expectTaken(outcome: SendOutcome): Promise<string> {
        expect(standIn.refused.splice(0)).to.deep.equal([]);
        expect(outcome.kind).to.equal('sent');
        const { text, links: shown } = standIn.messages.at(-1)!;
        expect(text, 'characters are whole').to.not.match(/\p{Surrogate}/u);
        for (const url of shown) expect(url).to.match(new RegExp(`^${BASE_URL}/`));
        return text.replaceAll('\u2060', '');
      }

      it('is taken, and has no links, mentions or markup of theirs', () =>
        fc.assert(
          fc.asyncProperty(subject, async (about) => {
            const text = await expectTaken(await send([notificationOf(about)]));
            expect(text).to.include(startOf(about.name));
          }),
          { numRuns: RUNS },
        ));

      for (const [name, template] of Object.entries(TEMPLATES))
        it(`is taken where a template writes ${name}`, async () => {
          const about = { name: 'Shop', workspaceName: 'Acme', reason: 'It is down.', type: 0, acknowledges: true };
          const outcome = await send([notificationOf(about)], template);
          expect(await expectTaken(outcome)).to.include('Shop');
          // Where other processes have the processor, it may use up its time.
          expect(outcome.answer, 'the template works').to.not.match(/template failed(?!.* it takes too long)/);
        });

      if (channelOf(type).category !== 'incidents')
        it('is taken where it is a digest of as many as one contains', () =>
          fc.assert(
            fc.asyncProperty(fc.array(subject, { minLength: 7, maxLength: 7 }), async (several) => {
              const all = Array.from({ length: MOST_IN_DIGEST }, (_, at) =>
                notificationOf({ ...several[at % several.length]!, type: 0 }),
              ) as [Notification, ...Notification[]];
              const text = await expectTaken(await send(all));
              expect(text).to.include(startOf(several[0]!.name));
            }),
            { numRuns: 6 },
          ));
    });
});

/** A notification about one of the events that groups are notified of. */
function notificationOf({ name, workspaceName, reason, type, acknowledges }: Subject): Notification {
  const about = { workspaceId: SAMPLE_ID, workspaceName, monitor: { ...SAMPLE_MONITOR, name } };
  const event = { ...sampleEvents(about, NOW)[type]!, id: newId(NOW) };
  if (event.subject.incident) Object.assign(event.subject.incident, { id: newId(NOW), failureReason: reason });
  return { event, extra: acknowledges ? { acknowledgeUrl: `${BASE_URL}/ack/abc_def` } : {} };
}

const startOf = (name: string) => Array.from(cleanLine(name)).slice(0, SHOWN).join('').replaceAll('\u2060', '');
