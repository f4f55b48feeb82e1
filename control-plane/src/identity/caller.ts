/** Roles of a workspace member, from the least to the most. */
export const ROLES = ['Viewer', 'Responder', 'Editor', 'Admin', 'Owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` may do what needs `minimum`. */
export function roleAllows(role: Role, minimum: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(minimum);
}

/** Who is calling: a principal whose token was verified, and the user that belongs to it. */
export interface Caller {
  userId: string;
  issuer: string;
  subject: string;
  /** The OAuth client that the token was issued to, where the token says. */
  clientId: string | null;
  scopes: ReadonlySet<string>;
  /** This very request made the user. */
  isNew?: boolean;
}

/** The workspace that a request was resolved to, and what the caller is there. */
export interface WorkspaceAccess {
  workspaceId: string;
  memberId: string;
  role: Role;
  /** Whose plan sets the limits. */
  ownerId: string;
}

/** Through which door a change came in, where timelines tell it. */
export interface Via {
  /** An assistant, or the link in a page to somebody on call. */
  channel: 'mcp' | 'page';
  /** What the program calls itself; nobody vouches for it. */
  client: string | null;
}

/** A caller at work in a workspace: what nearly every verb takes. */
export interface Actor {
  caller: Caller;
  workspace: WorkspaceAccess;
  via?: Via;
}

/** As much of an actor as a verb needs that acts for a person: one may act without a token, by a link for example. */
export interface ActingPerson {
  caller: Pick<Caller, 'userId'>;
  workspace: Pick<WorkspaceAccess, 'workspaceId'>;
  via?: Via;
}
