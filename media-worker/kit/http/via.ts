/** The name of an edge in `Via` (RFC 9110 section 7.6.3). Other proxies are ignored. */
const edgeNamePattern = /\bheadwater-edge-[0-9a-f]{8}\b/g;

/**
 * Creates the name of an edge.
 * @param id eight hexadecimal digits that identify the process
 */
export const createEdgeName = (id: string): string => `headwater-edge-${id}`;

/** The names of the edges that a request has passed, starting with the edge nearest to the viewer. */
export function parseEdges(via: string | undefined): readonly string[] {
  return via === undefined ? [] : [...via.matchAll(edgeNamePattern)].map(([name]) => name);
}

/**
 * Maximum number of edges named in `Via`. A loop of up to this many edges is detected, also if a client invents names: they come
 * first and are left out first. A long chain is not rejected, because the error would reach other viewers who share the request.
 */
const MAX_NAMED = 64;

/** The `Via` header of a request that these edges forward. */
export const formatVia = (edges: readonly string[]): string =>
  edges
    .slice(-MAX_NAMED)
    .map((name) => `1.1 ${name}`)
    .join(', ');
