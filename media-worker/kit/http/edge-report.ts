import { z } from 'zod';

/** Path where an edge reports viewers to its upstream. It is below `/hls`, so that proxies route it like playlists. */
export const edgeReportPath = '/hls/viewers';

/** Maximum number of viewers in one report, which must fit into one request body. */
export const maxInReport = 200;

const playbackId = z.string().regex(/^[a-z0-9]{16}$/);
const viewerSchema = z.union([
  z.tuple([playbackId, z.string().regex(/^(?:[0-9a-f]{8}[A-Za-z0-9_-]{20}|[A-Za-z0-9_-]{43})$/)]),
  z.tuple([playbackId, z.string().regex(/^[A-Za-z0-9_-]{43}$/), z.literal('asset')]),
]);
const reportSchema = z.array(viewerSchema).max(maxInReport);

/**
 * A viewer of a stream: its playback id and the viewer's token, or the edge's hash without one. Or a started asset: its
 * id and the edge's hash of the viewer.
 */
export type ReportedViewer = Readonly<z.infer<typeof viewerSchema>>;

/** Whether a viewer is identified by a hash, which proves nothing, instead of a token issued by an origin. */
export const isHash = (viewer: string): boolean => viewer.length === 43;

/** Parses a report; null if it is malformed. */
export function readEdgeReport(body: string): readonly ReportedViewer[] | null {
  try {
    return reportSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
