import { terminateStream } from '@/lib/contract/streams/stream-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(terminateStream, ({ ctx, params }) => streams.terminateStream(ctx, params.id)),
);
