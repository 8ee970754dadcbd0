/** The name of an edge in `Via` (RFC 9110 section 7.6.3). Other proxies are ignored. */
const pattern = /\bheadwater-edge-[0-9a-f]{8}\b/g;

/** @param id eight hexadecimal digits that identify the process */
export const edgeNamed = (id: string): string => `headwater-edge-${id}`;

/** The edges that a request passed, starting with the one nearest to the viewer. */
export function edgesIn(via: string | undefined): readonly string[] {
  return via === undefined ? [] : [...via.matchAll(pattern)].map(([name]) => name);
}

/**
 * Maximum number of edges named in `Via`. A loop of up to this many edges is detected, also if a client invents names: they come
 * first and are left out first. A long chain is not refused, because the error would reach other viewers who share the request.
 */
const maxNamed = 64;

/** The `Via` header of a request that these edges forward. */
export const viaOf = (edges: readonly string[]): string =>
  edges
    .slice(-maxNamed)
    .map((name) => `1.1 ${name}`)
    .join(', ');
