import * as access from '@/lib/domain/access';
import { revokePlaybackToken } from '@/lib/contract/access/playback-token';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(revokePlaybackToken, ({ ctx, params, body }) =>
    access.revokePlaybackToken(ctx, { ...params, ...body }),
  ),
);
