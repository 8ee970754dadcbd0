import type { Watch } from '../watch-playlists';

/** Nobody counts who watches. */
export const unwatched: Watch = (_request, _target, serve) => serve();
