import { getAssetPreview } from '@/lib/contract/access/preview';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as assets from '@/lib/domain/assets';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getAssetPreview, ({ ctx, params }) => assets.getAssetPreview(ctx, params.id)),
);
