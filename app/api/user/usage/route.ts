import { getUsage } from '@/lib/contract/accounts/usage';
import * as metering from '@/lib/domain/metering';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getUsage, ({ ctx, query }) => metering.getUsage(ctx, query)),
);
