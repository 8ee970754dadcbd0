import { z } from 'zod';

/** Where an edge tells its upstream who watched. Below `/hls`, so that it goes where playlists go. */
export const edgeReportPath = '/hls/viewers';

/** So many fit into the body of one request. */
export const maxInReport = 200;

const playbackId = z.string().regex(/^[a-z0-9]{16}$/);
const viewerSchema = z.union([
  z.tuple([playbackId, z.string().regex(/^(?:[0-9a-f]{8}[A-Za-z0-9_-]{20}|[A-Za-z0-9_-]{43})$/)]),
  z.tuple([playbackId, z.string().regex(/^[A-Za-z0-9_-]{43}$/), z.literal('asset')]),
]);
const reportSchema = z.array(viewerSchema).max(maxInReport);

/**
 * Which stream was watched, by its playback id, and the token of who watched it, or the edge's hash of who had none. Or
 * which asset was started, and the edge's hash of who started it.
 */
export type ReportedViewer = Readonly<z.infer<typeof viewerSchema>>;

/** A hash proves nothing; a token was issued by an origin. */
export const isHash = (viewer: string): boolean => viewer.length === 43;

/** Null for what no edge wrote. */
export function readEdgeReport(body: string): readonly ReportedViewer[] | null {
  try {
    return reportSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
