import { joinTeam } from '@/lib/contract/accounts/team-invitation';
import * as accounts from '@/lib/domain/accounts';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(joinTeam, ({ ctx, body }) => accounts.joinTeam(ctx, body.invitation)),
);
