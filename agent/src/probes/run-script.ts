import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import { Pattern } from '@watchpost/shared/assertions/pattern';
import { SyntaxFault } from '@watchpost/shared/assertions/syntax-fault';
import { TooMuchWork, Work } from '@watchpost/shared/assertions/work';
import type { ScriptStep } from '@watchpost/shared/checks/tcp-script';
import type { Deadline, Step } from './deadline.js';
import { quotePayload, readPayload } from './payload.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';
import { MOST_RECEIVED_BYTES, ReceivedData } from './received-data.js';

/** Bytes that come one by one are not compared one by one. */
const PAUSE_MS = 20;

export interface ScriptOptions {
  socket: Socket;
  address: string;
  steps: readonly ScriptStep[];
  /** Makes a TLS handshake on the connection, for a step with `startTls`. */
  secure(socket: Socket): Promise<Socket | ProbeFault>;
  deadline: Deadline;
}

export interface ScriptResult {
  fault: ProbeFault | null;
  /** Over TLS after `startTls`. It is open where there is no fault. */
  socket: Socket;
  /** What came since the last `send` or `startTls`. */
  received: Buffer;
  /** The time of the first byte, by `performance.now()`; 0: none came. */
  firstByteAt: number;
}

/** Runs a script on a connection, step by step, and leaves it open. */
export async function runScript(options: ScriptOptions): Promise<ScriptResult> {
  const { steps, address, secure, deadline } = options;
  let { socket } = options;
  let firstByteAt = 0;
  let ear = new Ear(socket, address, deadline);
  const work = new Work();
  let last: Expectation | null = null;
  const end = (fault: ProbeFault | null): ScriptResult => {
    ear.stop();
    if (fault) socket.destroy();
    firstByteAt ||= ear.firstByteAt;
    return { fault, socket, received: ear.received, firstByteAt };
  };
  for (const [index, step] of steps.entries()) {
    if (step.send !== undefined) {
      const bytes = readPayload(step.send);
      if (bytes === null) return end(invalid('the text after “hex:” is not pairs of hexadecimal digits'));
      const fault = deadline.isOver ? await ear.wait(() => false, {}) : null;
      if (fault) return end(fault);
      last = null;
      ear.forget();
      socket.write(bytes);
    } else if (step.startTls) {
      const extra = last ? last.after(ear.received) : ear.received;
      // What follows the reply in plain text could come from anybody, and must not pass for the answer over TLS.
      if (extra.length > 0) return end(new ProbeFault('starttls_injected', { address, received: quotePayload(extra) }));
      firstByteAt ||= ear.firstByteAt;
      ear.stop();
      const secured = await secure(socket);
      if (secured instanceof ProbeFault) return end(secured);
      socket = secured;
      last = null;
      ear = new Ear(socket, address, deadline);
    } else {
      last = expectationOf(step, work);
      if (last === null) return end(invalid('the pattern of its script is not valid'));
      const { test, shown } = last;
      const fault = await ear.wait(test, { step: index + 1, expected: shown });
      if (fault) return end(fault);
    }
  }
  return end(null);
}

function invalid(why: string): ProbeFault {
  return new ProbeFault('invalid_target', { why });
}

interface Expectation {
  /** @throws TooMuchWork */
  test(received: Buffer): boolean;
  /** What follows the first match, and the end of its line. @throws TooMuchWork */
  after(received: Buffer): Buffer;
  /** For sentences. */
  shown: string;
}

/** @returns null where it is not valid */
function expectationOf({ expect, expectHex }: ScriptStep, work: Work): Expectation | null {
  if (expect === undefined) {
    const wanted = readPayload(`hex:${expectHex ?? '-'}`);
    if (!wanted?.length) return null;
    const after = (received: Buffer) => received.subarray(received.indexOf(wanted) + wanted.length);
    return { test: (received) => received.includes(wanted), after, shown: quotePayload(wanted) };
  }
  try {
    const pattern = Pattern.of(expect);
    return {
      test: (received) => pattern.test(textOf(received), work),
      after(received) {
        const text = textOf(received);
        // Without its groups, the whole match is what is captured.
        const match = Pattern.of(`(${expect})`).capture(text, new Work()) ?? '';
        const rest = text.slice(text.indexOf(match) + match.length);
        return Buffer.from(match.endsWith('\n') ? rest : rest.replace(/^[^\n]*\n/, ''));
      },
      shown: `the pattern ${quotePayload(Buffer.from(expect))}`,
    };
  } catch (error) {
    if (error instanceof SyntaxFault) return null;
    throw error;
  }
}

/** Patterns are compared with text; of what is none, each byte is a character. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Listens to a connection. What comes before it is waited for is kept. */
class Ear implements Step {
  readonly timeoutKey = 'script_slow';
  firstByteAt = 0;
  #received = new ReceivedData(null);
  #hasEnded: 'closed' | 'reset' | null = null;
  #waiting: { test: (received: Buffer) => boolean; facts: FaultValues; settle(fault: ProbeFault | null): void } | null =
    null;
  #comparedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly address: string,
    private readonly deadline: Deadline,
  ) {
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
  }

  get received(): Buffer {
    return this.#received.bytes;
  }

  forget(): void {
    this.#received = new ReceivedData(null);
  }

  /** Another reader can follow. The listener of errors stays: one after the end of the check must not end the process. */
  stop(): void {
    clearTimeout(this.#timer);
    this.socket.removeListener('data', this.#onData);
    this.socket.removeListener('end', this.#onEnd);
    this.socket.pause();
  }

  /** Waits until what was received passes a test. */
  wait(test: (received: Buffer) => boolean, facts: FaultValues): Promise<ProbeFault | null> {
    return new Promise((resolve) => {
      const settle = (fault: ProbeFault | null): void => {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#waiting = null;
        this.deadline.leave();
        resolve(fault);
      };
      this.#waiting = { test, facts, settle };
      this.deadline.enter(this);
      if (this.#waiting) this.#compare();
    });
  }

  timeoutValues(): FaultValues {
    return this.#facts();
  }

  cancel(fault: ProbeFault): void {
    this.#waiting?.settle(fault);
  }

  #compare(): void {
    const { test, settle } = this.#waiting!;
    this.#comparedAt = performance.now();
    try {
      if (test(this.received)) settle(null);
      else if (this.#hasEnded) settle(this.#endFault());
      else if (this.received.length >= MOST_RECEIVED_BYTES)
        settle(new ProbeFault('script_unexpected', { ...this.#facts(), limit: MOST_RECEIVED_BYTES / 1024 }));
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      settle(new ProbeFault('script_costly', this.#facts()));
    }
  }

  #endFault(): ProbeFault {
    if (this.#hasEnded === 'reset') return new ProbeFault('service_reset', { address: this.address });
    return this.received.length === 0 && this.firstByteAt === 0
      ? new ProbeFault('service_closed', { address: this.address })
      : new ProbeFault('script_ended', this.#facts());
  }

  #facts(): FaultValues {
    return { address: this.address, received: quotePayload(this.received), ...this.#waiting?.facts };
  }

  readonly #onData = (chunk: Buffer): void => {
    this.firstByteAt ||= performance.now();
    this.#received.add(chunk);
    if (!this.#waiting || this.#timer) return;
    const pauseMs = this.received.length >= MOST_RECEIVED_BYTES ? 0 : this.#comparedAt + PAUSE_MS - performance.now();
    if (pauseMs <= 0) return this.#compare();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#waiting) this.#compare();
    }, pauseMs);
  };

  readonly #onEnd = (): void => {
    this.#hasEnded ??= 'closed';
    if (this.#waiting) this.#compare();
  };

  readonly #onError = (): void => {
    this.#hasEnded ??= 'reset';
    if (this.#waiting) this.#compare();
  };
}
