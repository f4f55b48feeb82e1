const LOOK_MS = 2_000;

export type ServingStatus = 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN';

export interface ServiceHealthOptions {
  /** Services by name, and whether this process has the role for them. */
  services: Readonly<Record<string, boolean>>;
  /** Whether the process can do its work; never rejects, and has a deadline. */
  isReady(): Promise<boolean>;
  /** How often a watched status is determined, ms. */
  lookMs?: number;
}

/** The serving status of the services of this process, until and during its stop. */
export class ServiceHealth {
  private draining = false;
  private last: { atMs: number; isReady: Promise<boolean> } | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: ServiceHealthOptions) {}

  get lookMs(): number {
    return this.options.lookMs ?? LOOK_MS;
  }

  /** Reports every service as not serving from now on: the process stops soon. */
  drain(): void {
    this.draining = true;
    for (const notify of this.listeners) notify();
  }

  onDrain(listener: () => void): void {
    this.listeners.add(listener);
  }

  async statusOf(service: string): Promise<ServingStatus> {
    const { services } = this.options;
    if (!Object.hasOwn(services, service)) return 'SERVICE_UNKNOWN';
    const isReady = !this.draining && services[service] && (await this.isReady());
    return isReady && !this.draining ? 'SERVING' : 'NOT_SERVING';
  }

  async statusOfAll(): Promise<Record<string, ServingStatus>> {
    const names = Object.keys(this.options.services);
    const found = await Promise.all(names.map(async (name) => [name, await this.statusOf(name)] as const));
    return Object.fromEntries(found);
  }

  /** Determined twice in `lookMs` at most, however many ask. */
  private isReady(): Promise<boolean> {
    const nowMs = performance.now();
    if (!this.last || nowMs - this.last.atMs > this.lookMs / 2)
      this.last = { atMs: nowMs, isReady: this.options.isReady() };
    return this.last.isReady;
  }
}
