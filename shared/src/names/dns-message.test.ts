import { expect } from 'chai';
import { encode } from 'dns-packet';
import fc from 'fast-check';
import { readMessage } from './dns-message.js';
import { readReply } from './dns-reply.js';

const NAME = 'www.shop.example';
const QUESTION = { name: NAME, type: 'NS' } as const;

/** An answer whose records are names of many pointers, each to the one before. */
function pointerBomb(type: number): Buffer {
  const bytes = Buffer.alloc(65_535);
  const question = encode({ id: 7, type: 'response', questions: [{ ...QUESTION, class: 'IN' }] });
  question.copy(bytes);
  let at = question.length;
  const record = (name: Buffer, data: Buffer, kind = type) => {
    name.copy(bytes, at);
    at += name.length;
    bytes.writeUInt16BE(kind, at);
    bytes.writeUInt16BE(1, at + 2);
    bytes.writeUInt32BE(60, at + 4);
    bytes.writeUInt16BE(data.length, at + 8);
    data.copy(bytes, at + 10);
    at += 10 + data.length;
  };
  const pointerTo = (target: number) => Buffer.from([0xc0 | (target >> 8), target & 0xff]);
  const dataAt = at + 2 + 10;
  const chain = Array.from({ length: 8_000 }, (_, index) => pointerTo(index === 0 ? 12 : dataAt + 2 * (index - 1)));
  record(pointerTo(12), Buffer.concat(chain), 65_280);
  const last = dataAt + 2 * (chain.length - 1);
  let records = 1;
  for (; at + 20 < bytes.length; records++) record(pointerTo(type === 2 ? 12 : last), pointerTo(last));
  bytes.writeUInt16BE(records, 6);
  return bytes.subarray(0, at);
}

const label = fc.stringMatching(/^[a-z0-9-]{1,20}$/);
const domain = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));

describe('the names of a DNS message', () => {
  it('are readable in every normal response', () => {
    const record = fc.oneof(
      fc.record({ type: fc.constant('NS' as const), name: domain, data: domain }),
      fc.record({ type: fc.constant('A' as const), name: domain, data: fc.ipV4() }),
      fc.record({
        type: fc.constant('MX' as const),
        name: domain,
        data: fc.record({ preference: fc.nat({ max: 100 }), exchange: domain }),
      }),
      fc.record({ type: fc.constant('TXT' as const), name: domain, data: fc.string({ maxLength: 200 }) }),
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 60 }), (answers) => {
        const packet = { id: 7, type: 'response' as const, questions: [QUESTION], answers };
        const bytes = encode(packet);
        expect(readReply(bytes, 7, QUESTION)?.answers).to.have.length(answers.length);
      }),
    );
  });

  it('are refused if they have thousands of pointers, anywhere in the message', () => {
    for (const type of [2, 65_281]) {
      expect(readReply(pointerBomb(type), 7, QUESTION)).to.equal(null);
    }
  });

  it('are read or refused, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(() => readMessage(Buffer.from(bytes))).not.to.throw();
      }),
    );
  });
});

describe('A DNS message', () => {
  it('has no records that its record data hide or that reach over its end', () => {
    const answer = { type: 'NS', name: NAME, data: 'a.example' } as const;
    const bytes = encode({ id: 7, type: 'response', questions: [QUESTION], answers: [answer, answer] });
    const length = bytes.indexOf(Buffer.from('\u0001a\u0007example')) - 2;
    const whole = bytes.readUInt16BE(length);
    expect(readMessage(bytes)?.answers.map(({ name, data }) => [name, data.toString()])).to.deep.equal(
      [NAME, NAME].map((name) => [name, '\u0001a\u0007example\0']),
    );
    for (const wrong of [0, whole - 1, 60_000]) {
      bytes.writeUInt16BE(wrong, length);
      expect(readMessage(bytes), `${wrong}`).to.equal(null);
    }
    expect(
      readMessage(
        encode({ type: 'response', answers: [{ type: 'A', name: NAME, data: '192.0.2.1' }] }).subarray(0, -1),
      ),
    ).to.equal(null);
  });

  it('has names in lower case, whose other characters are escaped', () => {
    const label = Buffer.from('A.b\\ \u00e9', 'latin1');
    const bytes = Buffer.concat([
      Buffer.from([0, 7, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, label.length]),
      label,
      Buffer.from([0, 0, 1, 0, 1]),
    ]);
    expect(readMessage(bytes)?.question).to.deep.equal({ name: 'a\\.b\\\\\\032\\233', type: 1 });
  });
});
