import { deleteStream, getStream, updateStream } from '@/lib/contract/streams/stream-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getStream, ({ ctx, params }) => streams.getStream(ctx, params.id)),
  route(updateStream, ({ ctx, params, body }) => streams.updateStream(ctx, { id: params.id, change: body })),
  route(deleteStream, ({ ctx, params }) => streams.deleteStream(ctx, params.id)),
);
