import { deleteTeam, updateTeam } from '@/lib/contract/accounts/team';
import * as teams from '@/lib/domain/teams';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(updateTeam, ({ ctx, params, body }) => teams.renameTeam(ctx, params.id, body.name)),
  route(deleteTeam, ({ ctx, params }) => teams.deleteTeam(ctx, params.id)),
);
