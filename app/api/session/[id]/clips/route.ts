import * as assets from '@/lib/domain/assets';
import { listSessionClips } from '@/lib/contract/assets/clip';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listSessionClips, ({ ctx, params, query }) => assets.listClips(ctx, { sessionId: params.id }, query)),
);
