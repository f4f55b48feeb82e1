import { expect } from 'chai';
import { create, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';

const PATH = '/api/v1/marks';
const DEPLOY = { text: 'Deploy 4711', tags: ['team:web'], url: 'https://ci.example/4711' };

async function seedMark({ api }: World): Promise<{ params: { id: string } }> {
  return { params: { id: (await create(api, PATH, DEPLOY)).id } };
}

export const markExamples: Examples = {
  listMarks: {
    seed: async (world) => {
      await seedMark(world);
      return {};
    },
    check: ({ body }) => expect(body[0]).to.deep.include(DEPLOY),
  },
  createMark: {
    seed: () => ({ body: DEPLOY }),
    check: ({ body }) => expect(body).to.deep.include(DEPLOY),
  },
  deleteMark: { seed: seedMark },
};
