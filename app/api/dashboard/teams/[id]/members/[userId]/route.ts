import { removeTeamMember, updateTeamMember } from '@/lib/contract/accounts/team';
import * as teams from '@/lib/domain/teams';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(updateTeamMember, ({ ctx, params: { id, userId }, body }) =>
    teams.changeRole(ctx, { teamId: id, userId }, body.role),
  ),
  route(removeTeamMember, ({ ctx, params: { id, userId } }) =>
    teams.removeMember(ctx, { teamId: id, userId }),
  ),
);
