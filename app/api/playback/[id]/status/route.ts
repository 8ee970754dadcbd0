import { getPlaybackStatus } from '@/lib/contract/streams/playback';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getPlaybackStatus, ({ ctx, params }) => streams.getPlaybackStatus(ctx, params.id)),
);
