import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Fault } from '@watchpost/shared/fault';
import type { AdminCommand } from './command.js';

type Parsed<Options extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: boolean; strict: true }>
>;
type Used = Pick<AdminCommand, 'usage'>;

/** Parses the options of a command. @throws Fault `validation_failed` with the command's usage */
export function parseOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  command: Used,
  args: readonly string[],
  options: Options,
  allowPositionals = false,
): Parsed<Options> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true });
  } catch (error) {
    throw usageFault(command, (error as Error).message);
  }
}

export function usageFault({ usage }: Used, message: string): Fault {
  return new Fault('validation_failed', `${message}\nusage: ${usage}`);
}
