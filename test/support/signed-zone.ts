import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  encode,
  type Answer,
  type DnskeyData,
  type DsData,
  type Question,
  type RrsigData,
  type StringAnswer,
} from 'dns-packet';
import type { NameAnswer, NameBehaviour } from './name-server.js';

export const ALGORITHMS = { rsa: 8, rsaSha512: 10, ecdsa: 13, ecdsaP384: 14, ed25519: 15, ed448: 16 } as const;
export type AlgorithmName = keyof typeof ALGORITHMS;
export type DenialKind = 'nsec' | 'nsec3' | 'optOut';

export interface ZoneOptions {
  algorithm?: AlgorithmName;
  denial?: DenialKind;
  /** Of NSEC3. */
  iterations?: number;
  records?: Answer[];
  /** Without signatures. */
  isUnsigned?: boolean;
  /** When its signatures begin and end. */
  fromMs: number;
  toMs: number;
}

const TTL = 300;
const SALT = Buffer.from('aabb', 'hex');
const BASE32 = '0123456789abcdefghijklmnopqrstuv';

/** A zone that signs its records, by RFC 4034 and RFC 5155 and by code of its own. */
export class SignedZone {
  readonly algorithm: AlgorithmName;
  readonly records: Answer[];
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };

  constructor(
    readonly name: string,
    readonly options: ZoneOptions,
  ) {
    this.algorithm = options.algorithm ?? 'ecdsa';
    this.#keys = newKeys(this.algorithm);
    const soa = { mname: `ns.${name}`, rname: `root.${name}`, serial: 1 };
    this.records = [{ name, type: 'SOA', data: soa, ttl: TTL }, ...(options.records ?? [])];
    this.records.push({ name, type: 'NS', data: 'ns1.shop.example', ttl: TTL });
    if (!options.isUnsigned) this.records.push({ name, type: 'DNSKEY', data: this.key, ttl: TTL });
  }

  /** Has this zone delegate to the other one. */
  delegate(zone: SignedZone, digestTypes: readonly number[] = [2]): void {
    this.records.push({ name: zone.name, type: 'NS', data: 'ns1.shop.example', ttl: TTL });
    for (const type of zone.options.isUnsigned ? [] : digestTypes)
      this.records.push({ name: zone.name, type: 'DS', data: zone.digest(type), ttl: TTL });
  }

  get key(): DnskeyData & { flags: number } {
    // Not as a JWK: on Node.js 20 its export and collections of the heap can wait for each other without end.
    const isRsa = this.algorithm === 'rsa' || this.algorithm === 'rsaSha512';
    const { publicKey } = this.#keys;
    const key = isRsa
      ? Buffer.concat([Buffer.from([RSA_EXPONENT.length]), RSA_EXPONENT, rsaModulus(publicKey)])
      : publicKey.export({ type: 'spki', format: 'der' }).subarray(-KEY_LENGTHS[this.algorithm]);
    return { flags: 257, algorithm: ALGORITHMS[this.algorithm], key };
  }

  get keyTag(): number {
    const data = this.#keyData();
    let sum = 0;
    for (let at = 0; at < data.length; at += 2) sum += data[at]! * 256 + (data[at + 1] ?? 0);
    return (sum + Math.floor(sum / 65_536)) % 65_536;
  }

  digest(digestType: number): DsData {
    const hash = createHash(digestType === 4 ? 'sha384' : 'sha256');
    const digest = hash.update(nameWire(this.name)).update(this.#keyData()).digest();
    return { keyTag: this.keyTag, algorithm: ALGORITHMS[this.algorithm], digestType, digest };
  }

  #keyData(): Buffer {
    const { flags, algorithm, key } = this.key;
    return Buffer.concat([Buffer.from([flags >> 8, flags & 255, 3, algorithm]), key]);
  }

  /** The set with its signature; `owner` is that of an answer made of a wildcard. */
  signed(set: readonly Answer[], owner?: string): Answer[] {
    const shown = owner === undefined ? [...set] : set.map((one) => ({ ...one, name: owner }));
    if (this.options.isUnsigned) return shown;
    const [{ name, type }] = set as [Answer];
    const labels = name === '.' ? [] : name.split('.').filter((label) => label !== '*');
    const data: RrsigData = {
      typeCovered: type,
      algorithm: ALGORITHMS[this.algorithm],
      labels: labels.length,
      originalTTL: TTL,
      expiration: Math.floor(this.options.toMs / 1_000),
      inception: Math.floor(this.options.fromMs / 1_000),
      keyTag: this.keyTag,
      signersName: this.name,
      signature: Buffer.alloc(0),
    };
    const headLength = nameWire(name).length + 10;
    const rows = set.map((one) => recordWire(canonical({ ...one, name: name.toLowerCase(), ttl: TTL } as Answer)));
    rows.sort((a, b) => a.subarray(headLength).compare(b.subarray(headLength)));
    const head = recordWire({ name: '.', type: 'RRSIG', data, ttl: TTL }).subarray(11);
    const key = { key: this.#keys.privateKey, dsaEncoding: 'ieee-p1363' as const };
    const signature = sign(HASHES[this.algorithm], Buffer.concat([head, ...rows]), key);
    return [...shown, { name: owner ?? name, type: 'RRSIG', data: { ...data, signature }, ttl: TTL }];
  }

  answer({ name, type }: Pick<Question, 'name' | 'type'>): NameAnswer {
    const asked = name.toLowerCase();
    const own = this.#set(asked, type);
    const alias = own.length > 0 ? [] : this.#set(asked, 'CNAME');
    if (own.length + alias.length > 0) return { answers: this.signed(own.length > 0 ? own : alias) };
    const tree = parents(asked).find((one) => this.#set(one, 'DNAME').length > 0);
    if (tree !== undefined) {
      const set = this.#set(tree, 'DNAME');
      const data = asked.slice(0, -tree.length) + (set[0] as StringAnswer).data;
      return { answers: [...this.signed(set), { name: asked, type: 'CNAME', data, ttl: TTL }] };
    }
    if (this.#names().includes(asked))
      return { authorities: this.#deny([asked], this.#isOptedOut(asked) ? [asked] : []) };
    const encloser = parents(asked).find((one) => this.#names().includes(one))!;
    const closer = [asked, ...parents(asked)].find((one) => parents(one)[0] === encloser)!;
    const wildcard = encloser === '.' ? '*' : `*.${encloser}`;
    const expanded = [...this.#set(wildcard, type), ...this.#set(wildcard, 'CNAME')];
    const nameOrCloser = this.options.denial === 'nsec' || this.options.denial === undefined ? asked : closer;
    if (expanded.length > 0)
      return { answers: this.signed(expanded, asked), authorities: this.#deny([], [nameOrCloser], null) };
    if (this.#names().includes(wildcard)) return { authorities: this.#deny([wildcard, encloser], [nameOrCloser]) };
    return { rcode: 'NXDOMAIN', authorities: this.#deny([encloser], [nameOrCloser, wildcard]) };
  }

  #set(name: string, type: string): Answer[] {
    return this.records.filter((one) => one.name.toLowerCase() === name && one.type === type);
  }

  /** With those that exist for the sake of names below them. */
  #names(): string[] {
    const owners = this.records.map((one) => one.name.toLowerCase());
    const within = owners.flatMap((owner) => [owner, ...parents(owner)]).filter((one) => isBelow(one, this.name));
    return [...new Set(within)];
  }

  /** The records that match or cover these names. */
  #deny(matched: readonly string[], covered: readonly string[], soa: null | 'soa' = 'soa'): Answer[] {
    const first = soa === null ? [] : this.signed(this.#set(this.name, 'SOA'));
    if (this.options.isUnsigned) return first;
    const chain = this.options.denial === 'nsec' || this.options.denial === undefined ? this.#plain() : this.#hashed();
    const found = new Set<Answer>();
    for (const name of matched) for (const link of chain) if (link.isOf(name)) found.add(link.record);
    for (const name of covered) for (const link of chain) if (link.isBefore(name)) found.add(link.record);
    return [...first, ...[...found].flatMap((record) => this.signed([record]))];
  }

  #plain() {
    const owners = [...new Set(this.records.map((one) => one.name.toLowerCase()))].sort(canonically);
    return owners.map((owner, index) => {
      const next = owners[(index + 1) % owners.length]!;
      const rrtypes = [...this.#types(owner), 'NSEC'];
      const record = { name: owner, type: 'NSEC', data: { nextDomain: next, rrtypes }, ttl: TTL } as Answer;
      const isLast = index === owners.length - 1;
      const isBefore = (name: string) => canonically(owner, name) < 0 && (isLast || canonically(name, next) < 0);
      return { record, isOf: (name: string) => name === owner || (isBefore(name) && isBelow(next, name)), isBefore };
    });
  }

  #hashed() {
    const isOptOut = this.options.denial === 'optOut';
    const names = this.#names().filter((name) => !this.#isOptedOut(name));
    const iterations = this.options.iterations ?? 0;
    const links = names
      .map((name) => ({ name, hash: hashOf(name, iterations) }))
      .sort((a, b) => a.hash.compare(b.hash));
    return links.map(({ name, hash }, index) => {
      const next = links[(index + 1) % links.length]!.hash;
      const types = this.#types(name);
      const rrtypes = types.length > 1 ? types : [];
      const data = { algorithm: 1, flags: isOptOut ? 1 : 0, iterations, salt: SALT, nextDomain: next, rrtypes };
      const owner = this.name === '.' ? base32(hash) : `${base32(hash)}.${this.name}`;
      const record = { name: owner, type: 'NSEC3', data, ttl: TTL } as Answer;
      const isBefore = (one: string): boolean => {
        const at = hashOf(one, iterations);
        const isAfter = hash.compare(at) < 0;
        return index === links.length - 1 ? isAfter || at.compare(next) < 0 : isAfter && at.compare(next) < 0;
      };
      const closest = (one: string) => [one, ...parents(one)].find((each) => names.includes(each));
      return { record, isOf: (one: string) => closest(one) === name, isBefore };
    });
  }

  /** A delegation without a signature, about which the zone states nothing. */
  #isOptedOut(name: string): boolean {
    const isCut = name !== this.name && this.#set(name, 'NS').length > 0 && this.#set(name, 'DS').length === 0;
    return this.options.denial === 'optOut' && isCut;
  }

  #types(name: string): string[] {
    return [...new Set(this.records.filter((one) => one.name.toLowerCase() === name).map(({ type }) => type)), 'RRSIG'];
  }
}

/** A resolver of these zones, which follows aliases. */
export function resolverOf(zones: readonly SignedZone[]): NameBehaviour {
  return ({ question }) => {
    const answers: Answer[] = [];
    const authorities: Answer[] = [];
    let name = question.name.toLowerCase() || '.';
    for (;;) {
      const found = zoneOf(zones, name, question.type).answer({ name, type: question.type });
      answers.push(...(found.answers ?? []));
      authorities.push(...(found.authorities ?? []));
      const alias = found.answers?.find((one) => one.type === 'CNAME');
      if (!alias || question.type === 'CNAME') return { ...found, authoritative: false, answers, authorities };
      name = (alias as StringAnswer).data.toLowerCase();
    }
  };
}

/** The zone that has the records of a type of a name; the DS records of a zone are in the one above. */
export function zoneOf(zones: readonly SignedZone[], name: string, type: string): SignedZone {
  return zones
    .filter((zone) => isBelow(name, zone.name) && (type !== 'DS' || name !== zone.name || name === '.'))
    .toSorted((a, b) => parents(b.name).length - parents(a.name).length)[0]!;
}

/** With the names of its data in lower case, as far as a test has others. */
function canonical(record: Answer): Answer {
  if (record.type !== 'MX') return record;
  return { ...record, data: { ...record.data, exchange: record.data.exchange.toLowerCase() } };
}

/** The bytes of a record, from its name on. */
function recordWire(record: Answer): Buffer {
  return encode({ answers: [record] }).subarray(12);
}

const HASHES = {
  ...{ rsa: 'sha256', rsaSha512: 'sha512', ecdsa: 'sha256', ecdsaP384: 'sha384' },
  ...{ ed25519: null, ed448: null },
} as const;

/** Bytes of a public key, which the structure that contains it ends with. */
const KEY_LENGTHS = { rsa: 0, rsaSha512: 0, ecdsa: 64, ecdsaP384: 96, ed25519: 32, ed448: 57 } as const;
const RSA_BITS = 1_024;
const RSA_EXPONENT = Buffer.from([1, 0, 1]);

/** The structure (RFC 8017, A.1.1) ends with modulus and exponent, this one with its type and length. */
function rsaModulus(publicKey: KeyObject): Buffer {
  const end = -RSA_EXPONENT.length - 2;
  return publicKey.export({ type: 'pkcs1', format: 'der' }).subarray(end - RSA_BITS / 8, end);
}

function newKeys(algorithm: AlgorithmName) {
  switch (algorithm) {
    case 'rsa':
    case 'rsaSha512':
      return generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
    case 'ecdsa':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' });
    case 'ecdsaP384':
      return generateKeyPairSync('ec', { namedCurve: 'P-384' });
    case 'ed25519':
      return generateKeyPairSync('ed25519');
    case 'ed448':
      return generateKeyPairSync('ed448');
  }
}

function parents(name: string): string[] {
  const labels = name === '.' ? [] : name.split('.');
  return labels.map((_, index) => labels.slice(index + 1).join('.') || '.');
}

function isBelow(name: string, zone: string): boolean {
  return zone === '.' || name === zone || name.endsWith(`.${zone}`);
}

function canonically(one: string, other: string): number {
  const words = (name: string) => (name === '.' ? [] : name.split('.').toReversed());
  const [left, right] = [words(one), words(other)];
  for (let index = 0; index < Math.min(left.length, right.length); index++)
    if (left[index] !== right[index]) return left[index]! < right[index]! ? -1 : 1;
  return left.length - right.length;
}

function nameWire(name: string): Buffer {
  const labels = name === '.' ? [] : name.split('.');
  return Buffer.from([...labels.flatMap((label) => [label.length, ...Buffer.from(label)]), 0]);
}

function hashOf(name: string, iterations: number): Buffer {
  let hash = nameWire(name);
  for (let round = 0; round <= iterations; round++)
    hash = createHash('sha1')
      .update(Buffer.concat([hash, SALT]))
      .digest();
  return hash;
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits
    .match(/.{5}/g)!
    .map((five) => BASE32[Number.parseInt(five, 2)])
    .join('');
}
