import type { ChildProcess } from 'node:child_process';
import type { Defer } from '../bench.js';
import { ask, forked } from '../forked.js';
import { cpuMs } from '../process-usage.js';
import type { SimulatorAnswer, SimulatorOrder } from './simulator.js';

type AnswerOf<Kind extends SimulatorAnswer['kind']> = Extract<SimulatorAnswer, { kind: Kind }>;

export class SimulatorProcess {
  private readonly child: ChildProcess;
  private last: Promise<unknown> = Promise.resolve();
  private endedCpuMs = 0;
  isAlive = true;

  constructor(defer: Defer) {
    this.child = forked('scale/simulator.js', defer);
  }

  get pid(): number {
    return this.child.pid!;
  }

  get cpuMs(): number {
    if (this.isAlive) this.endedCpuMs = cpuMs(this.pid);
    return this.endedCpuMs;
  }

  /** Sends an order when the one before is answered. */
  order<Kind extends SimulatorAnswer['kind'] = 'done'>(order: SimulatorOrder): Promise<AnswerOf<Kind>> {
    const answer = this.last.then(() => this.ask<Kind>(order));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async ask<Kind extends SimulatorAnswer['kind']>(order: SimulatorOrder): Promise<AnswerOf<Kind>> {
    const answer = await ask<SimulatorAnswer>(this.child, order);
    if (answer.kind === 'failed') throw new Error(answer.message);
    return answer as AnswerOf<Kind>;
  }

  /** Ends it without a word (SIGKILL), or stops it with its connections open (SIGSTOP). */
  async lose(signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    await this.last;
    void this.cpuMs;
    this.isAlive = false;
    this.child.kill(signal);
  }

  /** Ends a stopped process, which cannot end itself. */
  end(): void {
    this.child.kill('SIGKILL');
  }
}
