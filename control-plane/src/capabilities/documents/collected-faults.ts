import { Fault, type FaultDetail } from '@watchpost/shared/fault';
import type { SectionDeletion } from '../../platform/documents/document-section.js';
import type { DesiredState } from './desired-objects.js';
import { documentPath } from './sections.js';

const MAX_FAULTS = 100;

/** The faults of several verbs, by the paths of their objects. */
export class CollectedFaults {
  readonly #faults: { fault: Fault; details: FaultDetail[] }[] = [];

  constructor(private readonly desired: DesiredState) {}

  /** Whether no more of them would be reported. */
  get isFull(): boolean {
    return this.#faults.length > MAX_FAULTS;
  }

  /**
   * Does work for an object, and keeps its fault.
   * @param place the field of the object that is set, or what a path in the fault is in the object
   * @returns whether it was done
   * @throws what is no fault
   */
  async of(
    { section, key }: SectionDeletion,
    place: string | ((path: string) => string),
    work: () => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const fieldOf = typeof place === 'string' ? () => place : place;
      const at = (path: string) => {
        const field = documentPath(fieldOf(path));
        return [section, key, ...(field === '' ? [] : field.split('.'))];
      };
      const detail = ({ path, message, ...more }: FaultDetail): FaultDetail => {
        const whole = at(path);
        return { path: whole.join('.'), message: `${message}${this.desired.placeOf(whole)}`, ...more };
      };
      const details = error.details.length > 0 ? error.details : [{ path: '', message: error.message }];
      this.#faults.push({ fault: error, details: details.map(detail) });
      return false;
    }
  }

  /** @throws Fault with the faults of all of them */
  throwIfAny(): void {
    const [first] = this.#faults;
    if (!first) return;
    const codes = new Set(this.#faults.map(({ fault }) => fault.code));
    const all = this.#faults.flatMap((one) => one.details);
    const details = all.slice(0, MAX_FAULTS);
    const more = all.length > MAX_FAULTS ? ' It has more faults than these.' : '';
    if (codes.size === 1)
      throw new Fault(first.fault.code, `${first.fault.message}${more}`, details, first.fault.retryAfterSeconds);
    throw new Fault('validation_failed', `Correct the objects of the document named in \`details\`.${more}`, details);
  }
}
