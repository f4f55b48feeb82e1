import { z } from 'zod';

/** The sign-in of the requests of a check. */
export const httpAuth = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('basic'), username: z.string(), password: z.string() }),
    z.strictObject({ type: z.literal('digest'), username: z.string(), password: z.string() }),
    z.strictObject({ type: z.literal('bearer'), token: z.string() }),
    z.strictObject({
      type: z.literal('oauth2ClientCredentials'),
      tokenUrl: z.string(),
      clientId: z.string(),
      clientSecret: z.string(),
      scopes: z.array(z.string()),
      audience: z.string().nullable(),
    }),
    z.strictObject({ type: z.literal('clientCertificate'), certificate: z.string(), key: z.string() }),
  ])
  .nullable();
