/** Ingest URLs of a live node, or of several nodes behind one load balancer. */
export interface IngestUrls {
  readonly url: string;
  /** Ingest URL of RTMPS; null if the node has no TLS. */
  readonly secureUrl: string | null;
  /** SRT ingest URL; null if SRT is off. */
  readonly srtUrl: string | null;
  readonly region: string | null;
  /** Fraction of the CPU time of the node that is idle, 0 to 1; null if unknown. */
  readonly headroomRatio: number | null;
}

/**
 * Merges the ingest URLs of live nodes. Nodes behind one load balancer have the same URLs, and become one entry with
 * their mean headroom. Nodes in `ownRegion` come first; within a region, the node with the most headroom comes first.
 */
export function mergeIngestUrls(nodes: readonly IngestUrls[], ownRegion: string | undefined): IngestUrls[] {
  const nodesByUrl = new Map<string, IngestUrls[]>();
  for (const node of nodes) {
    const key = JSON.stringify([node.url, node.secureUrl, node.region]);
    nodesByUrl.set(key, [...(nodesByUrl.get(key) ?? []), node]);
  }
  const mergedUrls = [...nodesByUrl.values()].flatMap(([first, ...otherNodes]) =>
    first ? [mergeNodes([first, ...otherNodes])] : [],
  );
  const regionRank = ({ region }: IngestUrls) => Number(ownRegion !== undefined && region !== ownRegion);
  return mergedUrls.sort(
    (a, b) =>
      regionRank(a) - regionRank(b) ||
      compareTexts(a.region ?? '', b.region ?? '') ||
      (b.headroomRatio ?? -1) - (a.headroomRatio ?? -1) ||
      compareTexts(a.url, b.url),
  );
}

/** Merges nodes with the same URL. Only one process of a machine takes SRT. */
function mergeNodes(nodes: readonly [IngestUrls, ...IngestUrls[]]): IngestUrls {
  const srtUrl = nodes.find((node) => node.srtUrl !== null)?.srtUrl ?? null;
  return { ...nodes[0], srtUrl, headroomRatio: meanHeadroom(nodes) };
}

function meanHeadroom(nodes: readonly IngestUrls[]): number | null {
  const headrooms = nodes.flatMap(({ headroomRatio }) => headroomRatio ?? []);
  return headrooms.length === 0 ? null : headrooms.reduce((sum, ratio) => sum + ratio, 0) / headrooms.length;
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
