import { z } from 'zod';

export const MOST_SCRIPT_STEPS = 10;

/** One step of a script over TCP; it has exactly one of these. */
export const scriptStep = z.strictObject({
  /** A pattern of RE2, somewhere in what came since the last `send` or `startTls`. */
  expect: z.string().optional(),
  /** Bytes, as digits, in the same. */
  expectHex: z.string().optional(),
  /** Text, or `hex:` and digits. */
  send: z.string().optional(),
  startTls: z.literal(true).optional(),
});
export type ScriptStep = Readonly<z.output<typeof scriptStep>>;
export const script = z.array(scriptStep).max(MOST_SCRIPT_STEPS).nullable().default(null);

/** A text, which may be missing, and the end of its line. */
const REST = '(?: [^\\n]*)?\\r?\\n';
/** A reply of SMTP or FTP, with its last line. */
const reply = (code: string): ScriptStep => ({ expect: `(?m)^${code}${REST}` });
/** A command of IMAP is done; the reply may be in lower case. */
const IMAP_DONE: ScriptStep = { expect: `(?mi)^a1 OK${REST}` };
const EHLO: ScriptStep = { send: 'EHLO watchpost.invalid\r\n' };
/** The 32 bytes with which a client of MySQL asks for TLS: its protocol is 4.1, and the character set UTF-8. */
const MYSQL_TLS = `hex:20000001008a0000000000012d${'00'.repeat(23)}`;

/** Scripts that greet, never log in, and quit. */
const PRESETS = {
  smtp: [reply('220'), EHLO, reply('250'), { send: 'QUIT\r\n' }, reply('221')],
  imap: [{ expect: `(?i)^\\* (?:OK|PREAUTH)${REST}` }, { send: 'a1 LOGOUT\r\n' }, IMAP_DONE],
  pop3: [{ expect: '^\\+OK[^\\n]*\\n' }, { send: 'QUIT\r\n' }, { expect: '^\\+OK' }],
  ftp: [reply('220'), { send: 'QUIT\r\n' }, reply('221')],
  ssh: [{ expect: '(?m)^SSH-(?:2\\.0|1\\.99)-[^\\n]*\\n' }],
  // One that wants a password, or gives strangers no rights, works, too.
  redis: [{ send: 'PING\r\n' }, { expect: '^(?:\\+PONG|-NOAUTH|-NOPERM)' }, { send: 'QUIT\r\n' }],
  // It asks for TLS, which is answered by one letter before anybody logs in.
  postgres: [{ send: 'hex:0000000804d2162f' }, { expect: '^[SN]$' }],
  mysql: [{ expect: '^[\\s\\S]{3}\\x00\\x0a[0-9]' }],
  // CONNECT without a user, whose answer may refuse it, or the version 3.1.1 in the words of version 5; then DISCONNECT.
  mqtt: [
    { send: 'hex:101300044d5154540402003c000777617463687074' },
    { expect: '^\\x20(?:\\x02[\\x00\\x01][\\x00-\\x05]|\\x03\\x00\\x84\\x00)' },
    { send: 'hex:e000' },
  ],
  // Version 0-9-1, which a server of version 1.0 refuses by the header of its own.
  amqp: [
    { send: 'hex:414d515000000901' },
    { expect: '^(?:\\x01\\x00\\x00[\\s\\S]{4}\\x00\\x0a\\x00\\x0a|AMQP[\\x00\\x02\\x03]\\x01\\x00\\x00)' },
  ],
} as const satisfies Record<string, readonly ScriptStep[]>;
export type ScriptPreset = keyof typeof PRESETS;
export const SCRIPT_PRESETS = Object.keys(PRESETS) as [ScriptPreset, ...ScriptPreset[]];

/** The ports of these services on which connections begin with TLS. */
const TLS_PORTS: ReadonlySet<number> = new Set([465, 990, 993, 995, 5671, 8883]);

export function scriptOfPreset(preset: ScriptPreset, port: number): ScriptStep[] {
  return [...(TLS_PORTS.has(port) ? [{ startTls: true } as const] : []), ...PRESETS[preset]];
}

/** What precedes TLS where a connection begins without it. */
const BEFORE_TLS = {
  smtp: [reply('220'), EHLO, reply('250'), { send: 'STARTTLS\r\n' }, reply('220')],
  imap: [PRESETS.imap[0], { send: 'a1 STARTTLS\r\n' }, IMAP_DONE],
  pop3: [PRESETS.pop3[0], { send: 'STLS\r\n' }, { expect: '^\\+OK[^\\n]*\\n' }],
  ftp: [reply('220'), { send: 'AUTH TLS\r\n' }, reply('234')],
  postgres: [PRESETS.postgres[0], { expect: '^S$' }],
  mysql: [PRESETS.mysql[0], { send: MYSQL_TLS }],
} as const satisfies Partial<Record<ScriptPreset, readonly ScriptStep[]>>;
export type StartTls = keyof typeof BEFORE_TLS;
export const START_TLS = Object.keys(BEFORE_TLS) as [StartTls, ...StartTls[]];

export function scriptBeforeTls(protocol: StartTls): ScriptStep[] {
  return [...BEFORE_TLS[protocol]];
}
