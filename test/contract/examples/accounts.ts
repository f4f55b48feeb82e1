import { expect } from 'chai';
import type { Examples } from '../example.js';

export const accountExamples: Examples = {
  listWorkspaces: {
    check: ({ body }, world) => expect(body.map(({ id }: { id: string }) => id)).to.include(world.workspaceId),
  },
  getWorkspace: { check: ({ body }, world) => expect(body.id).to.equal(world.workspaceId) },
  getUser: {},
  listProducts: {},
};
