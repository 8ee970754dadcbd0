import type { IncomingHttpHeaders } from 'node:http';

/** Header of Next's router with the state of the page, which pages send with a navigation (app-router-headers.js). */
const stateTreeHeader = 'next-router-state-tree';
const allowedValues: Readonly<Record<string, RegExp>> = {
  rsc: /^1$/,
  'next-router-prefetch': /^[1-3]$/,
  'next-router-segment-prefetch': /^\/[\x21-\x7e]{0,2000}$/,
  'next-url': /^\/[\x21-\x7e]{0,4000}$/,
};

/** Headers of features that this service does not use: Server Actions and the development server. */
const unusedHeaders = ['next-action', 'next-hmr-refresh', 'next-test-fetch-priority'];
const internalHeader = /^x-(?:nextjs|middleware|invoke|now|matched)-/;

/** Limit of Next for the length of a state tree. */
const MAX_TREE_LENGTH = 40_000;
const MAX_DEPTH = 64;

/**
 * Removes router headers with values to which Next would respond with 500, and headers of unused or internal features.
 * @returns the reason to reject the request; null if it is valid
 */
export function cleanRouterHeaders(headers: IncomingHttpHeaders): string | null {
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const isAllowed = allowedValues[name]?.test(String(value)) ?? true;
    if (!isAllowed || unusedHeaders.includes(name) || internalHeader.test(name))
      Reflect.deleteProperty(headers, name);
  }
  if (headers['rsc'] === undefined) {
    Reflect.deleteProperty(headers, stateTreeHeader);
    return null;
  }
  const tree = headers[stateTreeHeader];
  return tree === undefined || isStateTree(String(tree))
    ? null
    : 'Next-Router-State-Tree: is malformed. Reload the page';
}

function isStateTree(text: string): boolean {
  if (text.length > MAX_TREE_LENGTH) return false;
  try {
    return isNode(JSON.parse(decodeURIComponent(text)), 0);
  } catch {
    return false;
  }
}

/** Whether a value is a node of Next's flightRouterStateSchema: `[segment, {slot: node}, url?, marker?, …]`. */
function isNode(node: unknown, depth: number): boolean {
  if (!Array.isArray(node) || node.length < 2 || node.length > 6 || depth > MAX_DEPTH) return false;
  const [segment, slots, url, marker, hints, extra] = node as unknown[];
  return (
    isSegment(segment) &&
    typeof slots === 'object' &&
    slots !== null &&
    !Array.isArray(slots) &&
    Object.values(slots).every((slot) => isNode(slot, depth + 1)) &&
    (isAbsent(url) || (isTextArray(url) && url.length === 2)) &&
    (isAbsent(marker) || markers.has(marker)) &&
    (isAbsent(hints) || typeof hints === 'number') &&
    (extra === undefined || typeof extra === 'string')
  );
}

const isAbsent = (part: unknown): boolean => part === undefined || part === null;
const markers = new Set<unknown>(['refetch', 'inside-shared-layout', 'metadata-only']);
const paramTypes = /^(?:c|d)(?:i\((?:\.|\.\.|\.\.\.|\.\.\)\(\.\.)\))?$|^oc$/;

function isSegment(segment: unknown): boolean {
  if (typeof segment === 'string') return true;
  if (!Array.isArray(segment) || segment.length !== 4) return false;
  const [name, value, type, siblings] = segment as unknown[];
  return (
    isTextArray([name, value]) &&
    typeof type === 'string' &&
    paramTypes.test(type) &&
    (siblings === null || isTextArray(siblings))
  );
}

const isTextArray = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((item) => typeof item === 'string');
