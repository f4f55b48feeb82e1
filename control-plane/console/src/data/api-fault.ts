/** A field that the API refuses: `path` is dotted, as `http.headers.0`. */
export interface FieldFault {
  path: string;
  message: string;
  [extra: string]: unknown;
}

/** What the API, or the way to it, answered in place of a result. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';

  constructor(
    /** 0 where no answer came. */
    readonly status: number,
    /** As in the API; also `connection_lost` and `timeout`. */
    readonly code: string,
    /** One sentence with the next step, for the user. */
    message: string,
    readonly details: readonly FieldFault[] = [],
    readonly requestId: string | null = null,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }

  /** Names each field with its fault, or is the sentence of the fault where it is about none. */
  get fields(): string {
    return this.details.map(({ path, message }) => `${path} ${message}`).join('. ') || this.message;
  }

  get sentences(): string[] {
    return [...new Set([this.message, ...this.details.map(({ message }) => message)])];
  }
}

/** What the API would answer to a value of a field, where it is known without asking. */
export function faultOfField(path: string, message: string): ApiFault {
  return new ApiFault(0, 'validation_failed', 'Check the marked fields.', [{ path, message }]);
}

/** @returns the fault of an answer that is not 2xx */
export async function faultOfAnswer(answer: Response): Promise<ApiFault> {
  const body = (await answer.json().catch(() => ({}))) as {
    error?: string;
    message?: string;
    details?: FieldFault[];
    requestId?: string;
  };
  const seconds = Number(answer.headers.get('Retry-After'));
  return new ApiFault(
    answer.status,
    body.error ?? `http_${answer.status}`,
    // The sentence of the API is for programs, which read `details`.
    body.error === 'validation_failed' && body.details?.length
      ? 'Check the marked fields.'
      : (body.message ?? `The server answered ${answer.status}. Try again.`),
    body.details ?? [],
    body.requestId ?? answer.headers.get('X-Request-Id'),
    Number.isFinite(seconds) && seconds > 0 ? seconds : null,
  );
}

/** @returns any thrown value as a fault with a sentence for the user */
export function asFault(error: unknown): ApiFault {
  if (error instanceof ApiFault) return error;
  return new ApiFault(0, 'internal_error', error instanceof Error ? error.message : String(error));
}
