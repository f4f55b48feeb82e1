import { expect } from 'chai';
import fc from 'fast-check';
import { discordBody } from './discord.js';

const MESSAGE = {
  tone: 'bad' as const,
  title: 'Down: Shop',
  sentences: ['The server answered with status 503.'],
  facts: [{ name: 'Monitor', value: 'Shop (https://shop.example/)' }],
  links: [{ label: 'Acknowledge', url: 'https://watchpost.example/ack/abc_def' }],
  thread: null,
  startsThread: true,
};
const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom('@everyone', '<@&1>', '[x](https://evil.example)', '**', '# ', '\n', '\u202e', '`', '🙂'),
  }),
);

/** What Discord refuses or obeys (Message Create, Embed Limits). */
function expectAccepted(body: ReturnType<typeof discordBody>): void {
  const { embeds, allowed_mentions: mentions } = body as {
    embeds: { title: string; description: string; color: number; fields: { name: string; value: string }[] }[];
    allowed_mentions: object;
  };
  expect(mentions).to.deep.equal({ parse: [] });
  expect(embeds).to.have.length(1);
  const [{ title, description, color, fields }] = embeds as [(typeof embeds)[number]];
  expect(title.length).to.be.within(1, 256);
  expect(description.length).to.be.at.most(4_096);
  expect(color).to.be.within(0, 0xffffff);
  expect(fields.length).to.be.at.most(25);
  for (const { name, value } of fields) {
    expect(name.length).to.be.within(1, 256);
    expect(value.length).to.be.within(1, 1_024);
  }
  const texts = [title, description, ...fields.flatMap(({ name, value }) => [name, value])];
  expect(texts.join('').length).to.be.at.most(6_000);
  for (const text of texts) expect(text).to.not.match(/[\u202a-\u202e\u2066-\u2069]/);
}

describe('A message to Discord', () => {
  it('is an embed with what happened, in the colour of its state, and the links', () => {
    expect(discordBody(MESSAGE)).to.deep.equal({
      allowed_mentions: { parse: [] },
      components: [],
      embeds: [
        {
          title: 'Down\\: Shop',
          description: 'The server answered with status 503\\.\n[Acknowledge](https://watchpost.example/ack/abc_def)',
          color: 0xb8242b,
          fields: [{ name: 'Monitor', value: 'Shop \\(https\\://shop\\.example/\\)', inline: true }],
        },
      ],
    });
  });

  it('is accepted and has no markup of strangers, whatever they named their monitors', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.array(hostile, { maxLength: 8 }),
        fc.array(hostile, { maxLength: 14 }),
        (title, sentences, values) => {
          const facts = values.map((value) => ({ name: 'Monitor', value }));
          const body = discordBody({ ...MESSAGE, title, sentences, facts });
          expectAccepted(body);
          const shown = JSON.stringify(body).replaceAll('[Acknowledge](https://watchpost.example/ack/abc_def)', '');
          expect(shown).to.not.match(/(?<!\\)(?:\\\\\\\\)*[@*#`]/);
          expect(shown).to.not.include('](');
        },
      ),
    );
  });
});
