import type { Watch } from '@/media-worker/delivery/origin/live/watch-playlists';

/** Counts no viewers. */
export const ignoreViewers: Watch = (_request, _target, serve) => serve();
