import type { IncomingHttpHeaders } from 'node:http';

/** Router header of Next (app-router-headers.js), which our pages send with a navigation. */
const stateTree = 'next-router-state-tree';
const flags: Readonly<Record<string, RegExp>> = {
  rsc: /^1$/,
  'next-router-prefetch': /^[1-3]$/,
  'next-router-segment-prefetch': /^\/[\x21-\x7e]{0,2000}$/,
  'next-url': /^\/[\x21-\x7e]{0,4000}$/,
};

/** Headers of features that this service does not use: Server Actions and the development server. */
const unusedHeaders = ['next-action', 'next-hmr-refresh', 'next-test-fetch-priority'];
const internal = /^x-(?:nextjs|middleware|invoke|now|matched)-/;

/** Limit of Next, deeper than any page. */
const maxTreeLength = 40_000;
const maxDepth = 64;

/**
 * Removes router headers that Next cannot parse, to which it would respond with 500.
 * @returns the reason to reject the request; null if it is valid
 */
export function fitRouterHeaders(headers: IncomingHttpHeaders): string | null {
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const fits = flags[name]?.test(String(value)) ?? true;
    if (!fits || unusedHeaders.includes(name) || internal.test(name)) Reflect.deleteProperty(headers, name);
  }
  if (headers['rsc'] === undefined) {
    Reflect.deleteProperty(headers, stateTree);
    return null;
  }
  const tree = headers[stateTree];
  return tree === undefined || isStateTree(String(tree))
    ? null
    : 'Next-Router-State-Tree: is malformed. Reload the page';
}

function isStateTree(text: string): boolean {
  if (text.length > maxTreeLength) return false;
  try {
    return isNode(JSON.parse(decodeURIComponent(text)), 0);
  } catch {
    return false;
  }
}

/** `[segment, {slot: node}, url?, marker?, …]`, according to Next's flightRouterStateSchema. */
function isNode(node: unknown, depth: number): boolean {
  if (!Array.isArray(node) || node.length < 2 || node.length > 6 || depth > maxDepth) return false;
  const [segment, slots, url, marker, hints, extra] = node as unknown[];
  return (
    isSegment(segment) &&
    typeof slots === 'object' &&
    slots !== null &&
    !Array.isArray(slots) &&
    Object.values(slots).every((slot) => isNode(slot, depth + 1)) &&
    (isAbsent(url) || (isTexts(url) && url.length === 2)) &&
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
    isTexts([name, value]) &&
    typeof type === 'string' &&
    paramTypes.test(type) &&
    (siblings === null || isTexts(siblings))
  );
}

const isTexts = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((each) => typeof each === 'string');
