import * as assets from '@/lib/domain/assets';
import { addTrack, listTracks } from '@/lib/contract/assets/track';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listTracks, ({ ctx, params }) => assets.listTracks(ctx, params.id)),
  route(addTrack, ({ ctx, params, body }) => assets.addTrack(ctx, { id: params.id, track: body })),
);
