import { BUILD } from './build.js';

/** A program that has settings in its environment and no commands. */
export interface Program {
  name: string;
  purpose: string;
  /** The guide that lists its settings, below docs/guides. */
  guide: string;
}

/** Makes what a program prints for `--version` or `--help`, and does nothing else then. @returns undefined where neither is asked */
export function describeProgram(args: readonly string[], { name, purpose, guide }: Program): string | undefined {
  if (args.includes('--version')) return `${name} ${BUILD} (Node.js ${process.versions.node})`;
  if (!args.includes('--help') && !args.includes('-h')) return undefined;
  return `${name}: ${purpose}

Usage: ${name} [--help | --version]

Its settings are environment variables: docs/guides/${guide} lists them.`;
}
