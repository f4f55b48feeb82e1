import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import type { Json } from './product.js';

type Values = Record<string, Json>;
interface Scope {
  dot: Json;
  variables: Readonly<Record<string, Json>>;
}
type Node = string | { expression: string } | Block;
interface Block {
  keyword: 'if' | 'with' | 'range' | 'define';
  expression: string;
  body: Node[];
  otherwise: Node[];
}

/**
 * Renders a chart as `helm template NAME FOLDER` does. Of Helm's language it knows what the charts in `deploy/helm` use:
 * actions, pipelines, variables and the functions below; anything else is an error.
 */
export function renderChart(folder: string, name: string, given: Values): Json[] {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const chart = parse(read('Chart.yaml'));
  const root = {
    Values: merge(parse(read('values.yaml')) as Values, given),
    Chart: { Name: chart.name, AppVersion: chart.appVersion },
    Release: { Name: name, Service: 'Helm' },
    Files: { Get: (path: string) => (existsSync(join(folder, path)) ? read(path) : '') },
  };
  const templates = new Map<string, Node[]>();
  const files = readdirSync(join(folder, 'templates')).map((file) => parseTemplate(read(join('templates', file))));
  for (const node of files.flat()) {
    if (typeof node !== 'string' && 'keyword' in node && node.keyword === 'define')
      templates.set(String(parse(node.expression)), node.body);
  }
  const text = files.map((nodes) => print(nodes, { dot: root, variables: { $: root } }, templates)).join('\n---\n');
  const documents = parseAllDocuments(text);
  if ('empty' in documents) return [];
  for (const document of documents) if (document.errors[0]) throw document.errors[0];
  return documents.map((document) => document.toJS()).filter((document) => document !== null);
}

function merge(under: Values, over: Values): Values {
  const isMap = (value: Json) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = Object.entries(over).map(([key, value]) => [
    key,
    isMap(value) && isMap(under[key]) ? merge(under[key] as Values, value as Values) : value,
  ]);
  return { ...under, ...(Object.fromEntries(merged) as Values) };
}

function parseTemplate(text: string): Node[] {
  const root: Node[] = [];
  const open: { block: Block; nodes: Node[] }[] = [];
  let nodes = root;
  let at = 0;
  let trims = false;
  for (const found of text.matchAll(/\{\{(-?)([\s\S]*?)(-?)\}\}/g)) {
    const [whole, left, action, right] = found;
    nodes.push(trimmed(text.slice(at, found.index), trims, left === '-'));
    at = found.index + whole.length;
    trims = right === '-';
    const [, word, expression] = /^(\S+)\s*(.*)$/s.exec(action!.trim())!;
    if (word === 'if' || word === 'with' || word === 'range' || word === 'define') {
      const block: Block = { keyword: word, expression: expression!, body: [], otherwise: [] };
      nodes.push(block);
      open.push({ block, nodes });
      nodes = block.body;
    } else if (word === 'else' && expression === '') nodes = open.at(-1)!.block.otherwise;
    else if (word === 'end') ({ nodes } = open.pop()!);
    else nodes.push({ expression: action!.trim() });
  }
  if (open.length > 0) throw new Error(`a block of ${open[0]!.block.expression} has no end`);
  nodes.push(trimmed(text.slice(at), trims, false));
  return root;
}

function trimmed(text: string, start: boolean, end: boolean): string {
  const from = start ? text.trimStart() : text;
  return end ? from.trimEnd() : from;
}

function print(nodes: readonly Node[], scope: Scope, templates: ReadonlyMap<string, Node[]>): string {
  const value = (expression: string) => evaluate(expression, scope, templates);
  const text = nodes.map((node) => {
    if (typeof node === 'string') return node;
    if (!('keyword' in node)) return String(value(node.expression) ?? '');
    const { keyword, expression, body, otherwise } = node;
    if (keyword === 'define') return '';
    if (keyword === 'range') return printEach(expression);
    const given = value(expression);
    if (!isTrue(given)) return print(otherwise, scope, templates);
    return print(body, keyword === 'with' ? { ...scope, dot: given } : scope, templates);

    function printEach(range: string): string {
      const [, key, item, list] = /^(?:(\$\w+),\s*(\$\w+)\s*:=\s*)?(.*)$/s.exec(range)!;
      const entries = Object.entries((value(list!) ?? []) as Record<string, Json>);
      const ordered = Array.isArray(value(list!)) ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
      return ordered
        .map(([name, dot]) => {
          const variables = key ? { ...scope.variables, [key]: name, [item!]: dot } : scope.variables;
          return print(body, { dot, variables }, templates);
        })
        .join('');
    }
  });
  return text.join('');
}

function evaluate(pipeline: string, scope: Scope, templates: ReadonlyMap<string, Node[]>): Json {
  const functions: Record<string, (...args: Json[]) => Json> = {
    include: (name: string, dot: Json) => {
      const nodes = templates.get(name);
      if (!nodes) throw new Error(`there is no template ${name}`);
      return print(nodes, { dot, variables: { $: dot } }, templates);
    },
    toYaml: (value: Json) => stringify(value).trimEnd(),
    nindent: (width: number, text: string) => `\n${text.replaceAll(/^/gm, ' '.repeat(width))}`,
    quote: (value: Json) => JSON.stringify(String(value ?? '')),
    default: (fallback: Json, value: Json) => (isTrue(value) ? value : fallback),
    splitList: (separator: string, text: string) => text.split(separator),
  };
  const stages = [[]] as string[][];
  for (const [word] of pipeline.matchAll(/"[^"]*"|[^\s|]+|\|/g))
    if (word === '|') stages.push([]);
    else stages.at(-1)!.push(word);
  return stages.reduce((piped: Json[], [head, ...rest]) => {
    const args = [...rest.map(read), ...piped];
    const known = functions[head!];
    if (known) return [known(...args)];
    const value = read(head!);
    return [typeof value === 'function' ? value(...args) : value];
  }, [])[0];

  function read(word: string): Json {
    if (word.startsWith('"') || /^\d+$/.test(word)) return JSON.parse(word);
    const [, start, path] = /^(\$\w*|)((?:\.\w*)*)$/.exec(word) ?? [];
    if (start === undefined) throw new Error(`unknown word ${word} in {{ ${pipeline} }}`);
    if (start !== '' && !(start in scope.variables)) throw new Error(`unknown variable ${start}`);
    const steps = path!.split('.').filter((step) => step !== '');
    return steps.reduce((value: Json, step) => value?.[step], start === '' ? scope.dot : scope.variables[start]);
  }
}

function isTrue(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value as object).length > 0;
  return Boolean(value);
}
