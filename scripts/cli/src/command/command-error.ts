/** How a command ends, as the shell sees it. */
export const EXIT = { done: 0, error: 1, differences: 2, usage: 64 } as const;

export interface ErrorDetail {
  path: string;
  message: string;
  /** Where it is in the files; absent where that is not known. */
  file?: string;
  line?: number;
  column?: number;
}

export interface CommandErrorOptions {
  /** As REST names it, or one of the command line. */
  code?: string;
  exitCode?: number;
  /** What to do about it: a sentence. */
  nextStep?: string | undefined;
  details?: readonly ErrorDetail[];
  requestId?: string | undefined;
  cause?: unknown;
}

/** An error that a person can do something about. It is printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: string;
  readonly exitCode: number;
  readonly nextStep: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  /** Whether the service may have received an earlier attempt of the same request, of which the answer is lost. */
  followsLostAnswer = false;

  constructor(message: string, options: CommandErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'failed';
    this.exitCode = options.exitCode ?? EXIT.error;
    this.nextStep = options.nextStep;
    this.details = options.details ?? [];
    this.requestId = options.requestId;
  }
}

export function usageError(message: string, nextStep?: string): CommandError {
  return new CommandError(message, { code: 'usage', exitCode: EXIT.usage, nextStep });
}
