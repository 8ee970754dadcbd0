import type { IncomingMessage } from 'node:http';
import { type WatchPlaylistsOptions, readPreviewToken } from './watch-playlists';

/** Records that the viewer of a request is watching. Called repeatedly while the viewer watches. */
export type RecordViewer = () => void;

/** Counts viewers who have a connection instead of loading playlists. */
export type WatchConnection = (request: IncomingMessage, playbackId: string) => RecordViewer;

/** Creates a counter of connections, which count like viewers who load playlists (watch-playlists.ts). */
export function createConnectionWatch(options: Omit<WatchPlaylistsOptions, 'hashOf'>): WatchConnection {
  const { count, tokens, previews, perAddress } = options;
  return (request, playbackId) => {
    const preview = readPreviewToken(request.url ?? '');
    if (preview !== null && previews.isValid(playbackId, preview)) return () => undefined;
    const token = tokens.issue(playbackId);
    return () => {
      if (count.touch(playbackId, token)) return;
      if (perAddress.counts(request, playbackId, token)) count.recordPlaylist(playbackId, token);
    };
  };
}
