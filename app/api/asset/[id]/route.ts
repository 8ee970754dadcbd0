import * as assets from '@/lib/domain/assets';
import { deleteAsset, getAsset, updateAsset } from '@/lib/contract/assets/asset-endpoints';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getAsset, ({ ctx, params }) => assets.getAsset(ctx, params.id)),
  route(updateAsset, ({ ctx, params, body }) => assets.updateAsset(ctx, { id: params.id, change: body })),
  route(deleteAsset, ({ ctx, params }) => assets.deleteAsset(ctx, params.id)),
);
