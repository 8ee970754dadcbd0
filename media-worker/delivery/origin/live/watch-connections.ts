import type { IncomingMessage } from 'node:http';
import { type WatchPlaylistsOptions, previewIn } from './watch-playlists';

/** Records that the viewer of a request is watching. Called repeatedly while the viewer watches. */
export type NoteViewer = () => void;

/** Counts viewers who have a connection instead of loading playlists. */
export type WatchConnection = (request: IncomingMessage, playbackId: string) => NoteViewer;

/** Counts connections like viewers who load playlists (watch-playlists.ts). */
export function watchConnections(options: Omit<WatchPlaylistsOptions, 'hashOf'>): WatchConnection {
  const { count, tokens, previews, perAddress } = options;
  return (request, playbackId) => {
    const preview = previewIn(request.url ?? '');
    if (preview !== null && previews.valid(playbackId, preview)) return () => undefined;
    const token = tokens.issue(playbackId);
    return () => {
      if (count.touch(playbackId, token)) return;
      if (perAddress.counts(request, playbackId, token)) count.saw(playbackId, token);
    };
  };
}
