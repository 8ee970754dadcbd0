import { getStreamMultistream } from '@/lib/contract/targets/multistream';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getStreamMultistream, ({ ctx, params }) => streams.getMultistream(ctx, params.id)),
);
