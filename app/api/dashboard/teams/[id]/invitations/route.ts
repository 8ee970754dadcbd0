import { createTeamInvitation, listTeamInvitations } from '@/lib/contract/accounts/team-invitation';
import * as accounts from '@/lib/domain/accounts';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { getServices } from '@/lib/http/services';
export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listTeamInvitations, ({ ctx, params }) => accounts.listTeamInvitations(ctx, params.id)),
  route(createTeamInvitation, ({ ctx, params, body }) =>
    accounts.inviteToTeam(ctx, { teamId: params.id, ...body }, getServices().mailer),
  ),
);
