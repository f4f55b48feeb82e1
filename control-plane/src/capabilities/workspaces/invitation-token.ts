import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export interface InvitationToken {
  /** 256 random bits, base64url; only the link contains it. */
  token: string;
  /** The digest that is stored. */
  hash: Buffer;
}

export function makeInvitationToken(): InvitationToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashInvitationToken(token) };
}

/** A plain digest is enough for 256 random bits. */
export function hashInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The address of the invitation document. */
export function invitationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/invitations/accept?token=${token}`;
}
