import { MIB, MOST_DOCUMENT_MIB } from '@watchpost/shared/document-limits';
import { writeYaml } from '@watchpost/shared/write-yaml';
import { z } from 'zod';
import { fixedJson } from '../../platform/http/fixed-json.js';
import { route, type Route } from '../../platform/http/route.js';
import { applyDocument, type DocumentDeps, planDocument } from './apply-document.js';
import {
  applyInput,
  configPlanSchema,
  detachedSchema,
  detachInput,
  exportQuery,
  planInput,
} from './document-schemas.js';
import { detachObjects } from './detach-objects.js';
import { documentJsonSchema } from './document-json-schema.js';
import { exportDocument } from './export-document.js';

const tag = 'Configuration as code';
const WRITE = { tag, scopes: ['monitor.admin', 'monitor.write'], role: 'Editor' } as const;
const LARGE = { bodyLimit: MOST_DOCUMENT_MIB * MIB, deadlineMs: 60_000 } as const;
const YAML = 'application/yaml';
const NEEDS = 'Beyond these scopes it needs those of the kinds in the document.';
const FAULTS = ['plan_limit_exceeded', 'feature_not_in_plan', 'monitor_type_conflict', 'slug_taken'] as const;

export function documentRoutes(deps: DocumentDeps): Route[] {
  const schema = fixedJson(() => documentJsonSchema(deps.sections));
  return [
    route({
      method: 'post',
      path: '/api/v1/config/plan',
      operationId: 'planConfig',
      audits: { none: 'a plan changes nothing' },
      summary: 'Compare the workspace with a document',
      description: `Answers what applying the document would change, and changes nothing. Every fault of the document is reported at once, each with its path. ${NEEDS}`,
      ...WRITE,
      ...LARGE,
      body: planInput,
      answers: { 200: { description: 'What would change', schema: configPlanSchema } },
      faults: FAULTS,
      run: (request) => planDocument(deps, request.actor, request.body),
    }),
    route({
      method: 'post',
      path: '/api/v1/config/apply',
      operationId: 'applyConfig',
      audits: ['config.applied'],
      summary: 'Make the workspace what a document describes',
      description:
        'In one transaction: all of it or nothing. Objects of the project that left the document stay as `orphan` unless `prune`; ' +
        `a second apply of the same document changes nothing. ${NEEDS}`,
      ...WRITE,
      ...LARGE,
      body: applyInput,
      answers: { 200: { description: 'What was changed', schema: configPlanSchema } },
      faults: [...FAULTS, 'precondition_failed', 'too_many_deletions'],
      run: (request) => applyDocument(deps, request.actor, request.body),
    }),
    route({
      method: 'get',
      path: '/api/v1/config/export',
      operationId: 'exportConfig',
      summary: 'Write the workspace as a document',
      description:
        'As YAML with `Accept: application/yaml`. Defaults are left out; secrets are `{ env: NAME }`, which the command line resolves; `allowEmpty: true` is added to those that are empty.',
      ...WRITE,
      scopes: ['monitor.admin', 'monitor.read'],
      query: exportQuery,
      produces: [YAML],
      answers: { 200: { description: 'The document', schema: z.record(z.string(), z.unknown()) } },
      async handle({ actor, query, headers }) {
        const document = await exportDocument(deps, actor, query.project);
        if (!String(headers['accept'] ?? '').includes(YAML)) return { body: document };
        return { body: writeYaml(document), type: YAML };
      },
    }),
    route({
      method: 'post',
      path: '/api/v1/config/detach',
      operationId: 'detachConfig',
      audits: ['config.detached'],
      summary: 'Stop managing objects by a document',
      description: 'The objects stay as they are.',
      ...WRITE,
      body: detachInput,
      answers: { 200: { description: 'How many were managed', schema: detachedSchema } },
      handle: async ({ actor, body }) => ({ body: { detached: await detachObjects(deps, actor, body) } }),
    }),
    route({
      method: 'get',
      path: '/api/v1/config/schema',
      operationId: 'getConfigSchema',
      summary: 'Get the JSON Schema of documents',
      description: 'JSON Schema 2020-12, for editors.',
      tag,
      scopes: 'anonymous',
      role: null,
      answers: { 200: { description: 'The schema', schema: z.record(z.string(), z.unknown()) } },
      handle: () => Promise.resolve(schema()),
    }),
  ];
}
