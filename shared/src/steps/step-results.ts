import { z } from 'zod';
import type { StepResult, Timings } from '../outcome.js';

const phase = z.number().meta({ description: 'ms; 0 if the phase did not happen', example: 12.6 });

/** The phases of a check, as callers read them. */
export const phases = z.strictObject({
  auth: phase
    .optional()
    .describe('The request for an access token, ms: no part of `responseTime`, and not kept with results'),
  dns: phase,
  connect: phase,
  tls: phase,
  firstByte: phase,
  transfer: phase,
});

export const stepResults = z
  .array(
    z
      .strictObject({
        name: z.string().meta({ example: 'Sign in' }),
        wasAvailable: z.boolean().nullable().describe('null where it did not run, or the agent could not complete it'),
        statusCode: z.int().nullable(),
        responseTime: z
          .number()
          .nullable()
          .meta({ description: 'ms; null also where it ran after a failure', example: 128.4 }),
        phases: phases.nullable(),
        failureReason: z.string().nullable().describe('null where it was fine'),
      })
      .meta({ id: 'StepResult' }),
  )
  .describe('With `http.steps`: the outcome of each, in their order');

export function describeStep({ name, wasAvailable, statusCode, totalUs, timings, message }: StepResult) {
  return {
    name,
    wasAvailable,
    statusCode,
    responseTime: totalUs === null ? null : totalUs / 1_000,
    phases: timings && phasesOf(timings),
    failureReason: message,
  };
}

export function phasesOf(timings: Timings): z.output<typeof phases> {
  return {
    auth: (timings.authUs ?? 0) / 1_000,
    dns: timings.dnsUs / 1_000,
    connect: timings.connectUs / 1_000,
    tls: timings.tlsUs / 1_000,
    firstByte: timings.firstByteUs / 1_000,
    transfer: timings.transferUs / 1_000,
  };
}
