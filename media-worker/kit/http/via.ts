/** The name of an edge in `Via` (RFC 9110 section 7.6.3). Other proxies are ignored. */
const pattern = /\bheadwater-edge-[0-9a-f]{8}\b/g;

/** @param id eight hexadecimal digits that identify the process */
export const edgeNamed = (id: string): string => `headwater-edge-${id}`;

/** The edges that a request passed, starting with the one nearest to the viewer. */
export function edgesIn(via: string | undefined): readonly string[] {
  return via === undefined ? [] : [...via.matchAll(pattern)].map(([name]) => name);
}

/** The `Via` header of a request that these edges forward. */
export const viaOf = (edges: readonly string[]): string => edges.map((name) => `1.1 ${name}`).join(', ');
