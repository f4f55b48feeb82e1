export interface ConsoleCookies {
  /** Holds the token of the session. */
  readonly session: string;
  /** Binds a sign-in that was begun to this browser. */
  readonly signIn: string;
  /** @returns the value of `Set-Cookie` */
  write(name: string, value: string, maxAgeSeconds: number): string;
  clear(name: string): string;
}

/**
 * With https, the prefix `__Host-` (RFC 6265bis §4.1.3.2) makes browsers refuse a cookie that another host of the domain
 * or a connection without TLS has set. `Lax` keeps the cookie from requests of other sites, except where the person follows a link.
 */
export function consoleCookies(baseUrl: string): ConsoleCookies {
  const isSecure = baseUrl.startsWith('https:');
  const prefix = isSecure ? '__Host-' : '';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    session: `${prefix}watchpost_session`,
    signIn: `${prefix}watchpost_sign_in`,
    write: (name, value, maxAgeSeconds) => `${name}=${value}; ${attributes}; Max-Age=${maxAgeSeconds}`,
    clear: (name) => `${name}=; ${attributes}; Max-Age=0`,
  };
}
