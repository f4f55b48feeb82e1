/** The first document of the console has so much of each list, and its first screen asks for as much. */
export const FIRST_SCREEN = {
  /** Of more workspaces the oldest are left out. */
  workspaces: 200,
  /** Monitors of the overview: a page of every list of monitors. */
  monitors: 50,
  /** Groups of the picture of the overview. */
  groups: 12,
} as const;
