import { z } from 'zod';

/** Path where an edge reports viewers to its upstream. It is below `/hls`, so that proxies route it like playlists. */
export const edgeReportPath = '/hls/viewers';

/** Maximum number of viewers in one report, which must fit into one request body. */
export const MAX_REPORTED_VIEWERS = 200;

const playbackIdSchema = z.string().regex(/^[a-z0-9]{16}$/);
/**
 * The token of a viewer in the URLs of media playlists has 28 characters: eight hexadecimal digits, which name the origin that
 * counts the viewer, and 20 of base64url. A SHA-256 hash in base64url has 43.
 */
const viewerSchema = z.union([
  z.tuple([playbackIdSchema, z.string().regex(/^(?:[0-9a-f]{8}[A-Za-z0-9_-]{20}|[A-Za-z0-9_-]{43})$/)]),
  z.tuple([playbackIdSchema, z.string().regex(/^[A-Za-z0-9_-]{43}$/), z.literal('asset')]),
]);
const reportSchema = z.array(viewerSchema).max(MAX_REPORTED_VIEWERS);

/**
 * A viewer of a stream: the playback id, and the token of the viewer or, if there is no token, a hash of the
 * viewer by the edge. Or a started view of an asset: the playback id, and a hash of the viewer by the edge.
 */
export type ReportedViewer = Readonly<z.infer<typeof viewerSchema>>;

/** Whether a viewer is identified by a hash, which proves nothing, instead of a token issued by an origin. */
export const isHash = (viewer: string): boolean => viewer.length === 43;

/** Parses a report; null if it is malformed. */
export function parseEdgeReport(body: string): readonly ReportedViewer[] | null {
  try {
    return reportSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
