import { expect } from 'chai';
import fc from 'fast-check';
import { DNS_RECORD_TYPES, type DnsRecordType } from '@watchpost/shared/checks/dns';
import { type DnsMessage, TYPE_NUMBERS } from '@watchpost/shared/names/dns-message';
import type { Reply } from '@watchpost/shared/names/dns-reply';
import { decisiveTypes, failuresText, isAnswered, readLookup, type TypeReply } from './decide-lookup.js';

type State = 'answered' | 'empty' | 'failed';

const messageOf = (rcode: string, answers: DnsMessage['answers'] = []): Reply => ({
  kind: 'answer',
  us: 1,
  message: { id: 1, isResponse: true, isAuthoritative: false, rcode, question: null, answers, authorities: [] },
});
const FAILURES: readonly Reply[] = [
  { kind: 'silent' },
  { kind: 'garbled' },
  messageOf('NXDOMAIN'),
  messageOf('NOTIMP'),
];

const replyOf = (type: DnsRecordType, state: State, failure: Reply): TypeReply => {
  if (state === 'failed') return { type, reply: failure };
  // The name of an alias that leads elsewhere is another one.
  const answers =
    state === 'empty'
      ? []
      : [
          {
            type: TYPE_NUMBERS[type],
            name: 'other.test',
            owner: Buffer.alloc(1),
            class: 1,
            ttl: 1,
            data: Buffer.from([1]),
          },
        ];
  return { type, reply: messageOf('NOERROR', answers) };
};

const lookups = fc
  .record({
    states: fc.tuple(...DNS_RECORD_TYPES.map(() => fc.constantFrom<State>('answered', 'empty', 'failed'))),
    failure: fc.constantFrom(...FAILURES),
    expected: fc.subarray([...DNS_RECORD_TYPES]),
  })
  .map(({ states, failure, expected }) => ({
    states,
    expected,
    lookup: readLookup(
      'shop.test',
      DNS_RECORD_TYPES.map((type, index) => replyOf(type, states[index]!, failure)),
    ),
  }));

/** An alias leads nowhere where every other type, and so those of addresses, fails. */
const isServed = (states: readonly string[]) =>
  states.some((state, index) => state === 'answered' && DNS_RECORD_TYPES[index] !== 'CNAME') ||
  (states.includes('answered') && states.includes('empty'));

describe('A lookup of several record types', () => {
  it('has each type either as records, which may be none, or as a failure', () => {
    fc.assert(
      fc.property(lookups, ({ states, lookup }) => {
        DNS_RECORD_TYPES.forEach((type, index) => {
          expect(lookup.records[type]?.length).to.equal({ answered: 1, empty: 0, failed: undefined }[states[index]!]);
          expect(lookup.failures[type] !== undefined).to.equal(states[index] === 'failed');
        });
        expect(isAnswered(lookup)).to.equal(isServed(states));
      }),
    );
  });

  it('fails exactly if an expected type does, or if one does and no type has a record', () => {
    fc.assert(
      fc.property(lookups, ({ states, expected, lookup }) => {
        const failed = DNS_RECORD_TYPES.filter((_, index) => states[index] === 'failed');
        const isUnresolved = failed.length > 0 && !isServed(states);
        const decisive = decisiveTypes(lookup, expected);
        expect(decisive).to.deep.equal(isUnresolved ? failed : failed.filter((type) => expected.includes(type)));
        const text = failuresText(lookup.failures, decisive);
        for (const type of DNS_RECORD_TYPES)
          expect(new RegExp(`\\b${type}\\b`).test(text), `${type} in ${text}`).to.equal(decisive.includes(type));
      }),
    );
  });
});
