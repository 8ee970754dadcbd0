import * as assets from '@/lib/domain/assets';
import { createViewerClip } from '@/lib/contract/assets/clip';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(createViewerClip, ({ ctx, params, query, body }) =>
    assets.createViewerClip(ctx, { ...params, ...body, proof: query }),
  ),
);
