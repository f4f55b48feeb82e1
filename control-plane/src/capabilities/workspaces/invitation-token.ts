import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export interface InvitationToken {
  /** 256 random bits, base64url: in the link, and nowhere else. */
  token: string;
  /** What is kept. */
  hash: Buffer;
}

export function makeInvitationToken(): InvitationToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashInvitationToken(token) };
}

/** A plain digest is enough: nobody guesses 256 random bits. */
export function hashInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Where a person opens the invitation. */
export function invitationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/invitations/accept?token=${token}`;
}
