import { switchStream } from '@/lib/contract/streams/program-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(switchStream, ({ ctx, params, body }) => streams.switchInput(ctx, { id: params.id, ...body })),
);
