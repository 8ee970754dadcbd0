import { z } from 'zod';

/** Where an edge tells its upstream who watched. Below `/hls`, so that it goes where playlists go. */
export const edgeReportPath = '/hls/viewers';

/** So many fit into the body of one request. */
export const maxInReport = 200;

const playbackSchema = z.tuple([
  z.string().regex(/^[a-z0-9]{16}$/),
  z.string().regex(/^(?:[0-9a-f]{8}[A-Za-z0-9_-]{20}|[A-Za-z0-9_-]{43})$/),
]);
const reportSchema = z.array(playbackSchema).max(maxInReport);

/** Which stream was watched, by its playback id, and the token of who watched it, or the edge's hash of who had none. */
export type ReportedViewer = Readonly<z.infer<typeof playbackSchema>>;

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
