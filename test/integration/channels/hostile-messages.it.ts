import { expect } from 'chai';
import fc from 'fast-check';
import { cleanLine } from '@watchpost/shared/clean-line';
import { newId } from '@watchpost/shared/id';
import { channelOf, createChannels } from '@watchpost/control-plane/capabilities/channels/index';
import { emptyContent } from '@watchpost/control-plane/capabilities/group-settings/content/decide-group-content';
import { composeMessage } from '@watchpost/control-plane/capabilities/channels/messages/compose-message';
import {
  SAMPLE_ID,
  SAMPLE_MONITOR,
  sampleEvents,
} from '@watchpost/control-plane/capabilities/channels/samples/sample-events';
import { CHANNEL_SERVICES, startStandIn } from '../../support/channel-services/stand-in.js';

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
const subject = fc.record({
  name: hostile,
  workspaceName: hostile,
  reason: hostile,
  type: fc.nat({ max: 6 }),
  acknowledges: fc.boolean(),
});

describe('Whatever people wrote, the message', () => {
  for (const type of Object.keys(CHANNEL_SERVICES) as (keyof typeof CHANNEL_SERVICES)[])
    it(`to ${type} is taken, and has no links, mentions or markup of theirs`, async () => {
      const standIn = await startStandIn(type);
      const { service, receiver } = standIn;
      const channel = channelOf(type);
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
        fields: { ...emptyContent(channel.fields).settings, ...service.group(receiver.url) },
      };
      const links = { baseUrl: BASE_URL, evidenceUrl: () => `${BASE_URL}/incident/abc_def-*x*` };
      try {
        await fc.assert(
          fc.asyncProperty(subject, async ({ name, workspaceName, reason, type: at, acknowledges }) => {
            const about = { workspaceId: SAMPLE_ID, workspaceName, monitor: { ...SAMPLE_MONITOR, name } };
            const event = { ...sampleEvents(about, NOW)[at]!, id: newId(NOW) };
            if (event.subject.incident)
              Object.assign(event.subject.incident, { id: newId(NOW), failureReason: reason });
            const extra = acknowledges ? { acknowledgeUrl: `${BASE_URL}/ack/abc_def` } : {};
            const outcome = await channel.send({
              ...{ channels, destination, id: newId(NOW), links, nowMs: NOW },
              notifications: [{ event, extra }],
              message: composeMessage(event, links, extra),
            });
            expect(standIn.refused.splice(0)).to.deep.equal([]);
            expect(outcome.kind).to.equal('sent');
            const { text, links: shown } = standIn.messages.at(-1)!;
            const start = Array.from(cleanLine(name)).slice(0, SHOWN).join('');
            expect(text.replaceAll('\u2060', '')).to.include(start.replaceAll('\u2060', ''));
            for (const url of shown) expect(url).to.match(new RegExp(`^${BASE_URL}/`));
          }),
          { numRuns: RUNS },
        );
      } finally {
        await receiver.stop();
      }
    });
});
