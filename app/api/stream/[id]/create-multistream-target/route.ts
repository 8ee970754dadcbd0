import { addStreamTarget } from '@/lib/contract/streams/stream-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { addTarget } from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(addStreamTarget, ({ ctx, params, body }) => addTarget(ctx, { id: params.id, reference: body })),
);
