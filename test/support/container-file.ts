import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Instruction {
  name: string;
  /** On one line. */
  value: string;
}

/** @returns the instructions of each stage of a container file, `FROM` first; the last stage is the image */
export function readContainerFile(path: string): Instruction[][] {
  const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^#.*\n/gm, '');
  const stages: Instruction[][] = [];
  for (const line of text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)) {
    const [, name, value] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`${path}: ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)!.push({ name, value });
  }
  return stages;
}

export function valuesOf(stage: readonly Instruction[], name: string): string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ value }) => value);
}
