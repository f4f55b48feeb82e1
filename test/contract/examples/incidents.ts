import { expect } from 'chai';
import { issueAcknowledgeLinks } from '@watchpost/control-plane/capabilities/delivery/links/acknowledge-link';
import { create, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { linkTo } from '../../integration/incidents/seed-evidence.js';
import type { Examples } from '../example.js';

async function monitorWithIncident(world: World): Promise<{ monitorId: string; incidentId: string }> {
  const { id } = await seedMonitor(world);
  return { monitorId: id, incidentId: await seedIncident(world, id) };
}
async function incidentWithNote(world: World): Promise<{ incidentId: string; noteId: string }> {
  const { incidentId } = await monitorWithIncident(world);
  const { id } = await create(world.api, `/api/v1/incident/${incidentId}/notes`, { note: 'Rolled back.' });
  return { incidentId, noteId: id };
}

async function pageLink(world: World): Promise<{ params: { token: string } }> {
  const { incidentId } = await monitorWithIncident(world);
  const { userId } = await world.member('Responder');
  const [url] = await world.app.db.transaction((tx) =>
    issueAcknowledgeLinks({ clock: world.app.clock, baseUrl: world.app.baseUrl }, tx, [
      { workspaceId: world.workspaceId, incidentId, userId },
    ]),
  );
  return { params: { token: url!.slice(url!.lastIndexOf('/') + 1) } };
}

async function evidenceLink(world: World): Promise<{ params: { token: string } }> {
  const { incidentId } = await monitorWithIncident(world);
  return { params: { token: (await linkTo(world.app, incidentId)).split('/').at(-1)! } };
}

export const incidentExamples: Examples = {
  getIncidentPage: {
    seed: evidenceLink,
    check: ({ body, headers }) => {
      expect(body).to.include('<h1>Shop is down</h1>').and.to.include('refused the connection');
      expect(headers.get('x-robots-tag')).to.include('noindex');
    },
  },
  readPageLink: { seed: pageLink, check: ({ body }) => expect(body.acknowledged).to.equal(false) },
  acknowledgeByPageLink: { seed: pageLink, check: ({ body }) => expect(body.acknowledged).to.equal(true) },
  listIncidents: { seed: async (world) => ({ query: `monitorId=${(await monitorWithIncident(world)).monitorId}` }) },
  getIncident: { seed: async (world) => ({ params: { id: (await monitorWithIncident(world)).incidentId } }) },
  getIncidentEvidence: {
    seed: async (world) => ({ params: { id: (await monitorWithIncident(world)).incidentId } }),
    check: ({ body }) => expect(body).to.include({ title: 'Shop is down' }),
  },
  shareEvidence: {
    seed: async (world) => ({ params: { incidentId: (await monitorWithIncident(world)).incidentId } }),
    check: ({ body }) => expect(body.url).to.match(/\/incident\/[\w-]{43}$/),
  },
  updateIncident: {
    entries: ['incident.acknowledged'],
    seed: async (world) => ({
      params: { id: (await monitorWithIncident(world)).incidentId },
      body: { acknowledged: true, status: 'Investigating' },
    }),
    check: ({ body }) => expect(body).to.deep.include({ acknowledged: true, status: 'Investigating', isClosed: false }),
  },
  listMonitorIncidents: { seed: async (world) => ({ params: { id: (await monitorWithIncident(world)).monitorId } }) },
  listIncidentNotes: {
    seed: async (world) => ({ params: { incidentId: (await incidentWithNote(world)).incidentId } }),
  },
  createIncidentNote: {
    seed: async (world) => ({
      params: { incidentId: (await monitorWithIncident(world)).incidentId },
      body: { note: 'The certificate was renewed.' },
    }),
  },
  getIncidentNote: {
    seed: async (world) => ({ params: await incidentWithNote(world) }),
    check: ({ body }) => expect(body.note).to.equal('Rolled back.'),
  },
  updateIncidentNote: { seed: async (world) => ({ params: await incidentWithNote(world), body: { note: 'Mended.' } }) },
  listEvidenceLinks: {
    seed: async (world) => {
      const { incidentId } = await monitorWithIncident(world);
      await linkTo(world.app, incidentId);
      return { params: { incidentId } };
    },
    check: ({ body }) => expect(body).to.have.length(1),
  },
  revokeEvidenceLinks: {
    seed: async (world) => {
      const { incidentId } = await monitorWithIncident(world);
      await linkTo(world.app, incidentId);
      return { params: { incidentId } };
    },
  },
  deleteIncidentNote: { seed: async (world) => ({ params: await incidentWithNote(world) }) },
};
