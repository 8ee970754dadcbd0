import { getAssetUsage } from '@/lib/contract/accounts/usage';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as metering from '@/lib/domain/metering';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getAssetUsage, ({ ctx, params, query }) => metering.getAssetUsage(ctx, { ...params, ...query })),
);
