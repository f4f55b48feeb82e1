import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect the whole heap more rarely. It keeps the checks of an installation, 140 MB of them with 800,000 series, and
 * each collection marks all of it by threads that take both cores of a small machine for 0.2 s. See
 * docs/decisions/0068-collections-of-the-whole-heap.md.
 */
export function collectGarbageRarely(): void {
  // Results that wait once, while the agents of a large installation connect, would be taken for what lives long ever after.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // When the heap is twice as large as what lived. V8 chooses 1.3 to 4 times, and 1.3 where results arrive steadily.
  setFlagsFromString('--heap-growing-percent=100');
}
