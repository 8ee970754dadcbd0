/** Ingest URLs of one protocol. */
export interface IngestAddress {
  readonly url: string;
  /** URL over TLS; null without TLS. */
  readonly secureUrl: string | null;
  /** SRT ingest URL; null if SRT is off. */
  readonly srtUrl: string | null;
  readonly region: string | null;
  /** Share of idle CPU time of the node, 0 to 1; null until known. */
  readonly headroomRatio: number | null;
}

/**
 * The unique addresses of live nodes: nodes behind one load balancer have the same address and share their headroom.
 * Addresses in `ownRegion` come first; within a region, those with the most headroom.
 */
export function ingestAddresses(
  nodes: readonly IngestAddress[],
  ownRegion: string | undefined,
): IngestAddress[] {
  const byAddress = new Map<string, IngestAddress[]>();
  for (const node of nodes) {
    const key = JSON.stringify([node.url, node.secureUrl, node.region]);
    byAddress.set(key, [...(byAddress.get(key) ?? []), node]);
  }
  const addresses = [...byAddress.values()].flatMap(([first, ...otherAddresses]) =>
    first ? [mergeProcesses([first, ...otherAddresses])] : [],
  );
  const far = ({ region }: IngestAddress) => Number(ownRegion !== undefined && region !== ownRegion);
  return addresses.sort(
    (a, b) =>
      far(a) - far(b) ||
      compare(a.region ?? '', b.region ?? '') ||
      (b.headroomRatio ?? -1) - (a.headroomRatio ?? -1) ||
      compare(a.url, b.url),
  );
}

/** Merges the processes of one machine. Only one process takes SRT. */
function mergeProcesses(nodes: readonly [IngestAddress, ...IngestAddress[]]): IngestAddress {
  const srtUrl = nodes.find((node) => node.srtUrl !== null)?.srtUrl ?? null;
  return { ...nodes[0], srtUrl, headroomRatio: mean(nodes) };
}

function mean(nodes: readonly IngestAddress[]): number | null {
  const headrooms = nodes.flatMap(({ headroomRatio }) => headroomRatio ?? []);
  return headrooms.length === 0 ? null : headrooms.reduce((sum, ratio) => sum + ratio, 0) / headrooms.length;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
