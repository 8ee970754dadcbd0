import type { GuardViewers } from '@/media-worker/delivery/origin/access/viewer-access';

/** Allows every viewer. */
export const admitAllViewers: GuardViewers = (request, _folder, serve) =>
  serve(
    request.url ?? '',
    request.headers,
    { teamId: 'team', objectId: 'object', acceptsViewerReports: true },
    null,
  );
