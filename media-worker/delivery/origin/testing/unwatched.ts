import type { Watch } from '@/media-worker/delivery/origin/live/watch-playlists';

/** Nobody counts who watches. */
export const unwatchedViewers: Watch = (_request, _target, serve) => serve();
