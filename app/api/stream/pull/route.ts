import { upsertPullStream } from '@/lib/contract/streams/pull-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(upsertPullStream, ({ ctx, query, body }) => streams.upsertPullStream(ctx, { body, key: query.key })),
);
