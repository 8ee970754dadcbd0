import { removeStreamTarget } from '@/lib/contract/streams/stream-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { removeTarget } from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(removeStreamTarget, ({ ctx, params }) => removeTarget(ctx, params)),
);
