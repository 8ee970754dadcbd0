import * as assets from '@/lib/domain/assets';
import { restoreAsset } from '@/lib/contract/assets/asset-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(restoreAsset, ({ ctx, params }) => assets.restoreAsset(ctx, params.id)),
);
