/** The fields of a group with secrets masked. Each channel has some of its own. */
export interface GroupSettings {
  recipients?: string[];
  phoneNumbers?: string[];
  headers?: Record<string, string>;
  [field: string]: unknown;
}

/** The secrets of a group, which are stored encrypted: by field, what settings show masked. */
export interface GroupSecrets {
  /** Signs the messages to a webhook (Standard Webhooks). */
  secret?: string;
  /** Values of secret headers by lower-case name. */
  headers?: Record<string, string>;
  [field: string]: string | Record<string, string> | undefined;
}

export interface GroupContent {
  settings: GroupSettings;
  secrets: GroupSecrets;
}

/** The input for a group; each channel accepts only its own fields. */
export interface GroupInput {
  readonly name?: string | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly attachTo?: { tags: string[]; all: boolean } | undefined;
  readonly [field: string]: unknown;
}
