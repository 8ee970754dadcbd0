import * as access from '@/lib/domain/access';
import { createPlaybackToken } from '@/lib/contract/access/playback-token';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(createPlaybackToken, ({ ctx, params, body }) =>
    access.createPlaybackToken(ctx, { ...params, ...body }),
  ),
);
