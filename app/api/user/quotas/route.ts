import { getQuotas as endpoint } from '@/lib/contract/accounts/quotas';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { getQuotas } from '@/lib/domain/quotas';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(endpoint, ({ ctx }) => getQuotas(ctx)),
);
