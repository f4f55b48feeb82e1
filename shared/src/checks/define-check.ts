import { z } from 'zod';
import type { CheckFault } from './fault-kind.js';

/** The addresses to which a probe may connect; `monitor`: public ones and PROBE_ALLOW_CIDRS, `public`: public ones and PUBLIC_CHECK_ALLOW_CIDRS. */
export const egress = z.enum(['monitor', 'public']).default('monitor');
export type EgressPolicyName = z.output<typeof egress>;

/** To which addresses of a name a check connects; `first`: the first one that accepts (RFC 8305); `each`: all of them. */
const addressChoice = z.enum(['first', 'ipv4', 'ipv6', 'each']);
export type AddressChoice = z.output<typeof addressChoice>;
export const addresses = {
  addresses: addressChoice.default('first'),
  /** With `each`: the target is down, not partly, where one of the addresses fails. */
  eachMustWork: z.boolean().default(false),
};

export const port = z.int().min(1).max(65_535);

/** Text, or `hex:` and digits. */
export const payload = z.string().nullable().default(null);

/** Headers that are sent, as targets contain them. */
const NO_HEADERS: { name: string; value: string }[] = [];
export const headers = z.array(z.strictObject({ name: z.string(), value: z.string() })).default(() => NO_HEADERS);

interface CheckFacts<Kind extends string, Shape extends z.ZodRawShape, Faults> {
  kind: Kind;
  /** Stored, and sent in place of the name: never changed. At most 30, because sets of kinds are bits of one number. */
  code: number;
  /**
   * What an agent gets, beside `kind` and `egress`. A field that older agents do not know has a default:
   * only a target that differs from it is one that they do not support.
   */
  target: Shape;
  hostOf(target: z.output<z.ZodObject<Shape>>): string;
  /** True if a check makes a handshake of TLS, which takes milliseconds of the processor; by default none does. */
  usesTls?(target: z.output<z.ZodObject<Shape>>): boolean;
  /** The faults that agents find beside those on the way to any target; docs/guides/check-faults.md lists the sentences. */
  faults: Faults;
}

/** A kind of check: its name, its code, and what an agent has to know to run it. */
export function defineCheck<
  Kind extends string,
  Shape extends z.ZodRawShape,
  Faults extends Readonly<Record<string, CheckFault>>,
>({ target, ...facts }: CheckFacts<Kind, Shape, Faults>) {
  const { kind } = facts;
  const shape = { kind: z.literal(kind).default(kind as never), ...target, egress };
  return { ...facts, target: z.strictObject(shape), encode: encoderOf(shape) };
}

/** A target of a definition, with lists that nobody changes. */
export type TargetOf<Definition extends { target: z.ZodType }> = ReadonlyLists<z.output<Definition['target']>>;

type ReadonlyLists<T> = T extends readonly (infer Entry)[]
  ? readonly ReadonlyLists<Entry>[]
  : T extends object
    ? { [Field in keyof T]: ReadonlyLists<T[Field]> }
    : T;

/** Encodes a target as JSON without the fields that have their default: nearly all checks of a kind differ in few fields. */
function encoderOf(shape: z.ZodRawShape): (target: object) => string {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const { data: standard } = z.safeParse(schema, undefined);
    return { name, tag: `${JSON.stringify(name)}:`, standard, standardJson: JSON.stringify(standard) };
  });
  return (target) => {
    let json = '';
    for (const { name, tag, standard, standardJson } of fields) {
      const value = (target as Readonly<Record<string, unknown>>)[name];
      if (value === standard) continue;
      const text = JSON.stringify(value);
      if (text !== standardJson) json += json === '' ? tag + text : `,${tag}${text}`;
    }
    return `{${json}}`;
  };
}
