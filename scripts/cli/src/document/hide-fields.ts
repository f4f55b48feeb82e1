import type { ConfigPlan } from '@watchpost/control-plane/capabilities/documents/document-schemas';
import { splitPath } from './locate.js';
import { Variable } from './resolve-environment.js';

type Change = ConfigPlan['changes'][number];

/**
 * The changed fields of an object without what a variable gives to one of them, and without the former value, which may come
 * from the same variable. A list is as the document has it.
 * @param named the document with a `Variable` in the place of each value of one
 */
export function hideFields(named: unknown, { kind, key, fields }: Change): Change['fields'] {
  const own = childOf(childOf(named, kind), key);
  const object = kind === 'monitors' ? overDefaults(childOf(named, 'defaults'), own) : own;
  return Object.fromEntries(
    Object.entries(fields).map(([path, change]) => {
      const node = nodeAt(object, path);
      if (!hasVariable(node)) return [path, change];
      return [path, { from: change.from === null ? null : '***', to: shownNode(node) }];
    }),
  );
}

/** The node of a field, or the variable that gives all of an object above it. */
function nodeAt(object: unknown, path: string): unknown {
  let node = object;
  for (const name of splitPath(object, path)) {
    if (node instanceof Variable) return node;
    node = childOf(node, name);
  }
  return node;
}

function childOf(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, name)
    ? (node as Record<string, unknown>)[name]
    : undefined;
}

/** As the service merges the defaults into a monitor. */
function overDefaults(defaults: unknown, own: unknown): unknown {
  if (!isMap(defaults) || !isMap(own)) return own === undefined ? defaults : own;
  const merged = Object.entries(own).map(([name, value]) => [name, overDefaults(childOf(defaults, name), value)]);
  return { ...defaults, ...Object.fromEntries(merged) };
}

function isMap(node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null && !Array.isArray(node) && !(node instanceof Variable);
}

function hasVariable(node: unknown): boolean {
  if (node instanceof Variable) return true;
  return typeof node === 'object' && node !== null && Object.values(node).some(hasVariable);
}

function shownNode(node: unknown): unknown {
  if (node instanceof Variable) return `$${node.name}`;
  if (Array.isArray(node)) return node.map(shownNode);
  if (!isMap(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, shownNode(value)]));
}
