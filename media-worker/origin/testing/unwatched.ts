import type { WatchPlaylists } from '../watch-playlists';

/** Nobody counts who watches. */
export const unwatched: WatchPlaylists = (_request, _target, serve) => serve();
