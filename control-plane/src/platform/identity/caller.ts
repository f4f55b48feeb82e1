/** Roles of a workspace member, from the least to the most. */
export const ROLES = ['Viewer', 'Responder', 'Editor', 'Admin', 'Owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` may do what needs `minimum`. */
export function roleAllows(role: Role, minimum: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(minimum);
}

export type Credential =
  | {
      type: 'token';
      issuer: string;
      subject: string;
      /** The OAuth client that the token was issued to, where the token names it. */
      clientId: string | null;
    }
  | {
      type: 'apiKey';
      id: string;
      name: string;
      /** The only workspace that the key is good for. */
      workspaceId: string;
    }
  /** The cookie of a browser that signed in to the console. */
  | { type: 'session'; id: string };

/** Who is calling: the user that a verified credential belongs to, and what that credential permits. */
export interface Caller {
  userId: string;
  credential: Credential;
  scopes: ReadonlySet<string>;
  /** This very request made the user. */
  isNew?: boolean;
}

/** Whose calls are counted together: an API key counts by itself, everything else by its user. */
export function principalIdOf({ userId, credential }: Caller): string {
  return credential.type === 'apiKey' ? credential.id : userId;
}

/** The workspace that a request was resolved to, and what the caller is there. */
export interface WorkspaceAccess {
  workspaceId: string;
  memberId: string;
  role: Role;
  /** Whose plan sets the limits. */
  ownerId: string;
}

/** By which way a change comes in: the audit log shows it, and timelines where it is out of the ordinary. */
export interface Via {
  /** `cli` is what the client calls itself; `link` is the link in a message to somebody on call, `chat` the button in one, `service` what a person did at a service that a group notifies. */
  channel: 'rest' | 'console' | 'cli' | 'mcp' | 'link' | 'chat' | 'service';
  /** What an assistant's program calls itself; nobody vouches for it. Of `chat` and `service` its title. */
  client: string | null;
  tool?: string;
  requestId: string | null;
  remoteAddress: string | null;
}

/** A caller at work where no workspace has been chosen yet: creating one, accepting an invitation. */
export interface Requester {
  caller: Caller;
  via: Via;
  /**
   * Throws the fault `precondition_failed` unless `If-Match` is absent or names the ETag of `current`, which is what a GET of
   * the resource would answer now. Verbs call it inside the transaction that writes. Absent where the caller cannot state a condition.
   */
  checkPrecondition?: ((current: unknown) => void) | undefined;
}

/** A caller at work in a workspace: what nearly every verb takes. */
export interface Actor extends Requester {
  workspace: WorkspaceAccess;
}

/** As much of an actor as a verb needs that acts for a person: one may act without a token, by a link for example. */
export interface ActingPerson {
  caller: Pick<Caller, 'userId'>;
  workspace: Pick<WorkspaceAccess, 'workspaceId'>;
  via: Via;
  checkPrecondition?: Requester['checkPrecondition'];
}

/** A person of whom only the name is known, who did something at a service. */
export interface ActingOutsider {
  outsider: {
    name: string;
    /** The group that the service belongs to, which is not notified of what the person did. */
    groupId: string;
  };
  workspace: Pick<WorkspaceAccess, 'workspaceId'>;
  via: Via;
  checkPrecondition?: undefined;
}
