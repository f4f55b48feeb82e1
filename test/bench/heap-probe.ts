import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded before a program of the product (NODE_OPTIONS=--import). On SIGUSR2 it collects garbage and writes the size of
// the heap in bytes to the file HEAP_FILE.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => {
  collect();
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  writeFileSync(process.env['HEAP_FILE']!, `${heapUsed + external + arrayBuffers}\n`);
});
