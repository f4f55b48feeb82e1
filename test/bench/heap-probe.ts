import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded before a program of ours (NODE_OPTIONS=--import): on SIGUSR2 it collects garbage and writes what is
// left, in bytes, to the file that HEAP_FILE names.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => {
  collect();
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  writeFileSync(process.env['HEAP_FILE']!, `${heapUsed + external + arrayBuffers}\n`);
});
