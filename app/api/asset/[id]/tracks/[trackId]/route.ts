import * as assets from '@/lib/domain/assets';
import { deleteTrack, updateTrack } from '@/lib/contract/assets/track';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(updateTrack, ({ ctx, params, body }) => assets.updateTrack(ctx, { ...params, change: body })),
  route(deleteTrack, ({ ctx, params }) => assets.deleteTrack(ctx, params)),
);
