import type { OAuthClient } from '@watchpost/shared/checks/http';

export interface AccessToken {
  value: string;
  /** ms since the epoch. */
  expiresMs: number;
}

export interface KeptToken {
  token: AccessToken | null;
  /** The request for a token that is under way: other checks wait for it. */
  pending: Promise<unknown> | null;
  /** True where the endpoint takes the credentials in the body alone. */
  isInBody: boolean;
}

/** Tokens by the settings of the monitor that they are for: nobody else gets them, and they go with these settings. */
export type TokenMemory = WeakMap<OAuthClient, KeptToken>;
