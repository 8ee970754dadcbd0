import { deleteTarget, getTarget, updateTarget } from '@/lib/contract/targets/multistream';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as multistream from '@/lib/domain/multistream';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getTarget, ({ ctx, params }) => multistream.getTarget(ctx, params.id)),
  route(updateTarget, ({ ctx, params, body }) =>
    multistream.updateTarget(ctx, { id: params.id, change: body }),
  ),
  route(deleteTarget, ({ ctx, params }) => multistream.deleteTarget(ctx, params.id)),
);
