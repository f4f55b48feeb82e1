import { pageStyle } from '../../pages/page-style.js';
import { groupBy } from '@watchpost/shared/group-by';
import type { OpenApiDocument } from './openapi-document.js';

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  deprecated?: boolean;
  parameters?: Record<string, unknown>[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

const STYLE = pageStyle(`body{max-width:64rem;margin:0 auto;padding:var(--space-6) var(--space-4)}
h4{margin:var(--space-4) 0 var(--space-1)}
pre{margin:var(--space-2) 0;overflow-x:auto;padding:var(--space-3);background:var(--sunken);border-radius:var(--radius-s);overflow-wrap:normal}
details{margin:var(--space-2) 0;padding:var(--space-2) var(--space-3);background:var(--paper);border:1px solid var(--line);border-radius:var(--radius-s)}
details[open],details:hover{border-color:var(--edge)}
summary{cursor:pointer}
summary span:last-child{color:var(--soft);font-size:var(--text-s)}
.method{display:inline-block;min-width:4.2rem;color:var(--accent);font:600 var(--text-xs)/var(--leading) var(--mono)}
.method.delete{color:var(--unavailable)}.method.post,.method.put,.method.patch{color:var(--available)}
.deprecated summary{text-decoration:line-through}
table{border-collapse:collapse;width:100%;table-layout:fixed;font-size:var(--text-s)}
th,td{text-align:left;vertical-align:top;padding:var(--space-1) var(--space-3) var(--space-1) 0;border-bottom:1px solid var(--line)}
.answers td:first-child{width:4rem}
p{white-space:pre-line}
`);

/** The description as one page to read: no scripts, nothing from elsewhere. */
export function swaggerPage(document: OpenApiDocument): string {
  const operations = listed(document);
  const parameters = (document.components?.parameters ?? {}) as unknown as Record<string, Record<string, unknown>>;
  const sections = [...groupBy(operations, ({ operation }) => operation.tags[0] ?? '')].map(
    ([tag, members]) => `<h2>${escape(tag)}</h2>${members.map((member) => operationHtml(member, parameters)).join('')}`,
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) =>
      `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code></summary>${json(schema)}</details>`,
  );
  const { title, version, description } = document.info;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)} API ${escape(version)}</title>${STYLE.element.text}</head><body>
<h1>${escape(title)} API ${escape(version)}</h1><p>${prose(description ?? '')}</p>
<p>For machines: <a href="/swagger/v1/swagger.json">OpenAPI ${escape(document.openapi)}</a></p>
${sections.join('')}<h2>Schemas</h2>${schemas.join('')}</body></html>`;
}

function listed(document: OpenApiDocument): Listed[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({ method, path, operation })),
  );
}

function operationHtml({ method, path, operation }: Listed, shared: Record<string, Record<string, unknown>>): string {
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  const parameters = (operation.parameters ?? []).map((parameter) => {
    const reference = parameter['$ref'];
    return typeof reference === 'string' ? (shared[reference.split('/').at(-1)!] ?? parameter) : parameter;
  });
  return `<details id="${escape(operation.operationId)}"${operation.deprecated ? ' class="deprecated"' : ''}>
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${escape(path)}</code> <span>${escape(operation.summary)}</span></summary>
<p>${prose(operation.description)}</p>
${parameters.length > 0 ? `<h4>Parameters</h4><table>${parameters.map(parameterHtml).join('')}</table>` : ''}
${body ? `<h4>Body (${escape(body[0])})</h4>${json(body[1].schema)}` : ''}
<h4>Answers</h4><table class="answers">${Object.entries(operation.responses).map(answerHtml).join('')}</table></details>`;
}

function parameterHtml(parameter: Record<string, unknown>): string {
  const required = parameter['required'] === true ? ', required' : '';
  return `<tr><td><code>${escape(String(parameter['name']))}</code><br>${escape(String(parameter['in']))}${required}</td>
<td>${prose((parameter['description'] as string | undefined) ?? '')}</td><td>${json(parameter['schema'])}</td></tr>`;
}

function answerHtml([status, answer]: [string, Operation['responses'][string]]): string {
  const schema = answer.content?.['application/json']?.schema;
  const shown = schema !== undefined && Number(status) < 400 ? json(schema) : '';
  return `<tr><td><code>${escape(status)}</code></td><td>${prose(answer.description)}${shown}</td></tr>`;
}

/** JSON with each reference made a link to its schema. */
function json(value: unknown): string {
  const text = escape(JSON.stringify(value, null, 2) ?? '');
  return `<pre>${text.replace(/#\/components\/schemas\/(\w+)/g, '<a href="#schema-$1">$1</a>')}</pre>`;
}

function prose(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
