import { getTeamQuotas, updateTeamQuotas } from '@/lib/contract/accounts/quotas';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as quotas from '@/lib/domain/quotas';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getTeamQuotas, ({ ctx, params }) => quotas.getTeamQuotas(ctx, params.id)),
  route(updateTeamQuotas, ({ ctx, params, body }) => quotas.setTeamQuotas(ctx, params.id, body)),
);
