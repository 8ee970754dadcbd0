import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getStreamHealth, ({ ctx, params, query }) => streams.getHealth(ctx, params.id, query)),
);
