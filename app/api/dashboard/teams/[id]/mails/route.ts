import { updateTeamMails } from '@/lib/contract/accounts/team';
import * as teams from '@/lib/domain/teams';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(updateTeamMails, ({ ctx, params, body }) => teams.setStreamMails(ctx, params.id, body.streamMails)),
);
