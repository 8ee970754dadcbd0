import { getPlayback } from '@/lib/contract/streams/playback';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { findPlayback } from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getPlayback, ({ ctx, params, query }) => findPlayback(ctx, params.id, query)),
);
